sig A { f: set A }
fact { always A' = A }
run {} for 3 steps
