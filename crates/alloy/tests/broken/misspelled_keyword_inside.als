sig A {}
fact { forall x: A | some x }
run {}
