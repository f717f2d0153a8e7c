sig A {}
sig A {}
pred p[x: A, x: A] {}
assert q {}
assert q {}
let m = A
let m = A
