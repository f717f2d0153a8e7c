sig A { f: set A }
pred p[a: A] { some a.f }
fact { some p }
fact { A in p[A] }
