sig A {}
pred reachable[x: A] { some x }
run { all a: A | reachabel[a] }
