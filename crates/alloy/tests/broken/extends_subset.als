sig A {}
sig B in A {}
sig C extends B {}
run {}
