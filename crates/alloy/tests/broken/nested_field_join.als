sig A { f: B }
sig B { g: C }
sig C {}
fact { all a: A | some a.g }
fact { all a: A | some a.f.g.h }
