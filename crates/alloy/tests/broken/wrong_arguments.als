sig A {}
sig B {}
pred p[a: A, b: B] { some a -> b }
fact { p[A] }
fact { all b: B | p[b, b] }
fun f: A { A }
fact { p[f, B] }
