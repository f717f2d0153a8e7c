sig A {}
fact { some this }
