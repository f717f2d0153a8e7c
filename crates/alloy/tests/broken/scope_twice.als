sig A {}
run {} for 3 A, 4 A
