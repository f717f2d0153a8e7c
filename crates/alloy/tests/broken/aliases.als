open util/ordering[A] as o
open util/ordering[B] as o
sig A {}
sig B {}
