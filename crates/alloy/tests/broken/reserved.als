sig one {}
pred all { }
