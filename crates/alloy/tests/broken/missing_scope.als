sig A {}
sig B {}
run {} for 3 A
