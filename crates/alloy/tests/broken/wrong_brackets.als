sig A { f: set A }
fact { all a: A | some a.f(a) }
fact { all a: A { some a.f ] }
