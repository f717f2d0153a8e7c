sig A { f: set C }
sig B { f: set C }
sig C {}
fact { some f.C }
pred p { some f }
