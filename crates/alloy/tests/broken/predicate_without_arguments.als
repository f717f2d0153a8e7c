sig A {}
pred p[a: A] { some a }
fact { p }
run {}
