sig A {
pred p { some (A }
fact { no A /* }
