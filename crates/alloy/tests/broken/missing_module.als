open util/orderin[A]
open shop/till
sig A {}
