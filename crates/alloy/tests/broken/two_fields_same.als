sig A { f: A, f: set A }
