one sig A {}
run {} for exactly 3 A
