sig A extends B {}
run {}
