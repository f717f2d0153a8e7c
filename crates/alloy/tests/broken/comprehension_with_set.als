sig A {}
fact { some { x: set A | some x } }
