sig A {}
run {} for -3
