sig A {}
pred p[a: A]: A { a }
