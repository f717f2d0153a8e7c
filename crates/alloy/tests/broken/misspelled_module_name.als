open util/ordering[State] as so
sig State {}
run { some so/frist and some ord/first }
