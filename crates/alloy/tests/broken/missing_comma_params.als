sig A {}
pred p[a: A b: A] { a = b }
