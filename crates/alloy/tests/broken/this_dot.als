sig A { f: set B } { all x: f | x.g = this }
sig B { g: A } { g.f = this.f }
