sig A {}
sig B {}
sig C extends A, B {}
