module util/relation

-- Properties of binary relations. Most of them are asked for on a set of atoms.

-- The atoms in the first column, and those in the second.
fun dom[r: univ -> univ]: set r.univ { r.univ }
fun ran[r: univ -> univ]: set univ.r { r[univ] }

-- How many partners the atoms of a set have in the second column: some, at most one, exactly one.
pred total[r: univ -> univ, s: set univ] { s in dom[r] }
pred functional[r: univ -> univ, s: set univ] { s <: r in s -> lone univ }
pred function[r: univ -> univ, s: set univ] { s <: r in s -> one univ }

-- The same for the first column.
pred surjective[r: univ -> univ, s: set univ] { s in ran[r] }
pred injective[r: univ -> univ, s: set univ] { r :> s in univ lone -> s }
pred bijective[r: univ -> univ, s: set univ] { r :> s in univ one -> s }

pred bijection[r: univ -> univ, d, c: set univ] {
  bijective[r, c]
  function[r, d]
}

pred reflexive[r: univ -> univ, s: set univ] { all x: s | x -> x in r }
pred irreflexive[r: univ -> univ] { no x: univ | x -> x in r }
pred symmetric[r: univ -> univ] { r = ~r }
pred antisymmetric[r: univ -> univ] { no (r & ~r) - iden }
pred transitive[r: univ -> univ] { no r.r - r }
pred acyclic[r: univ -> univ, s: set univ] { no x: s | x -> x in ^r }
pred complete[r: univ -> univ, s: set univ] { all disj x, y: s | x -> y in r or y -> x in r }

-- Orders and their kin, by the properties they have.
pred preorder[r: univ -> univ, s: set univ] { transitive[r] and reflexive[r, s] }
pred partialOrder[r: univ -> univ, s: set univ] { antisymmetric[r] and preorder[r, s] }
pred totalOrder[r: univ -> univ, s: set univ] { complete[r, s] and partialOrder[r, s] }
pred equivalence[r: univ -> univ, s: set univ] { symmetric[r] and preorder[r, s] }
