var sig A {}
run {} for 3 but 1.. steps
run {} for 3 but 4..2 steps
