sig A {}
fact f
run {}
