sig A {}
let m = m
fact { some m }
let w[a, b] = a + b
fact { some w[A] }
