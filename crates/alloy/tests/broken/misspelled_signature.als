sig Person {}
sig Book { owner: Persn }
sig Student extends Preson {}
run {} for 3 but 2 Boook
