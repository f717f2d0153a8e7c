sig A$B {}
run {}
