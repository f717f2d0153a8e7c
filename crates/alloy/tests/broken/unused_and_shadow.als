sig A { f: set A }
fact { all a: A | all a: A.f | some a }
fact { all x, y: A | some x }
