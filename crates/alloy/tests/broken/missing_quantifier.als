sig A { f: A }
fact { a: A | some a.f }
