sig A
sig B {}
run {}
