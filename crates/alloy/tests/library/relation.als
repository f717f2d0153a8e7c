open util/relation

sig N { r: set N }
sig S, T in N {}

check dom_ { all x: N | x in dom[r] iff some y: N | x -> y in r }
check ran_ { all y: N | y in ran[r] iff some x: N | x -> y in r }
check total_ { total[r, S] iff all x: S | some x.r }
check functional_ { functional[r, S] iff all x: S | lone x.r }
check function_ { function[r, S] iff all x: S | one x.r }
check surjective_ { surjective[r, S] iff all y: S | some r.y }
check injective_ { injective[r, S] iff all y: S | lone r.y }
check bijective_ { bijective[r, S] iff all y: S | one r.y }
check bijection_ { bijection[r, S, T] iff (all x: S | one x.r) and (all y: T | one r.y) }
check reflexive_ { reflexive[r, S] iff S <: iden in r }
check irreflexive_ { irreflexive[r] iff no iden & r }
check symmetric_ { symmetric[r] iff all x, y: N | x -> y in r => y -> x in r }
check antisymmetric_ { antisymmetric[r] iff all x, y: N | x -> y in r and y -> x in r => x = y }
check transitive_ { transitive[r] iff all x, y, z: N | x -> y in r and y -> z in r => x -> z in r }
check acyclic_ { acyclic[r, S] iff all x: S | x not in x.^r }
check complete_ { complete[r, S] iff all x, y: S | x = y or x -> y in r + ~r }
check preorder_ { preorder[r, S] iff r.r in r and S <: iden in r }
check equivalence_ { equivalence[r, S] iff r.r in r and S <: iden in r and ~r in r }
check partialOrder_ { partialOrder[r, S] iff r.r in r and S <: iden in r and r & ~r in iden }
check totalOrder_ {
  totalOrder[r, S] iff
    r.r in r and S <: iden in r and r & ~r in iden and all x, y: S | x = y or x -> y in r + ~r
}
