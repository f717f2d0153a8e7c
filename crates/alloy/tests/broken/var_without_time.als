sig A {}
var A { f: A }
