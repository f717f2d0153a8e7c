sig A {}
run A
