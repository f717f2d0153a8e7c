sig A {}
pred p[a: A] { some a }
fun g[a: A]: A { a }
fact { p[A, A] }
fact { some g[A, A] }
fact { all a: A | a.p[a] }
