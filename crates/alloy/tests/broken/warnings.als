sig A { f: set A }
sig B { g: set B }
fact { some A.g }
fact { A = B }
fact { all x: A | some A }
fact { no A & B }
fact { some A - B }
fun h: A { B }
fact { let y = A | some A }
