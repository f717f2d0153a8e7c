sig A {}
module m
open util/boolean
