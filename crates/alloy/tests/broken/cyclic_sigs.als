sig A extends B {}
sig B extends A {}
