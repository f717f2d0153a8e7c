sig A {}
fact { let x = A x in A }
