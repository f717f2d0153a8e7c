sig A {}
run {} for 3 but exactly A
run {} for A 3
