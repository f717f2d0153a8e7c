open util/ordering
open util/boolean[A]
sig A {}
