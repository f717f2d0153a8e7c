sig A { f: }
fact { all x: A x = x }
pred p[ { }
sig B {}
assert { some B
run p for for 3
