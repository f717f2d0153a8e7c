sig A {}
fact { A € A }
fact { a == b }
fact { A(A) }
