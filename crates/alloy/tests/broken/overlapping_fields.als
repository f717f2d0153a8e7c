sig A { f: A }
sig B extends A { f: B }
