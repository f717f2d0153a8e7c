sig A {}
sig B {}
fact { some A.B }
