/* A parcel locker: what changes over time, and a parcel that nobody gets.

   Parcels are put into boxes and taken out by whoever knows the code of the box. Codes may be used again for later
   parcels. `ownOnly` fails: somebody who fetched a parcel keeps the code, and the next parcel in that box has the same
   code. With fresh codes (`freshOnly`) it holds. `fetched` fails too, with a trace that goes round for ever and
   leaves a parcel where it is.

     wherefore check locker.als
*/

sig Box {}
sig Code {}
sig Person {
  var knows: set Code
}
sig Parcel {
  owner: one Person,
  var box: lone Box,
  var code: lone Code,
  var by: lone Person
}

pred stays [p: Parcel] { p.box' = p.box  p.code' = p.code  p.by' = p.by }

pred put [p: Parcel, b: Box, c: Code] {
  no p.box  no p.by  no box.b
  p.box' = b  p.code' = c  p.by' = p.by
  all q: Parcel - p | stays[q]
  knows' = knows + p.owner -> c
}

pred take [p: Parcel, who: Person] {
  some p.box  p.code in who.knows
  no p.box'  p.code' = p.code  p.by' = who
  all q: Parcel - p | stays[q]
  knows' = knows
}

pred wait { all p: Parcel | stays[p]  knows' = knows }

fact start { no box  no code  no by  no knows }
fact moves {
  always (wait or (some p: Parcel, b: Box, c: Code | put[p, b, c]) or (some p: Parcel, w: Person | take[p, w]))
}

pred freshCodes {
  always all p: Parcel, b: Box, c: Code | put[p, b, c] implies c not in Person.knows
}

run delivered { eventually some p: Parcel | p.by = p.owner } for 2 but 5 steps expect 1

assert ownOnly { always all p: Parcel | p.by in p.owner }
check ownOnly for 2 but 1 Box, 6 steps expect 1

assert freshOnly { freshCodes implies always all p: Parcel | p.by in p.owner }
check freshOnly for 2 but 1 Box, 5 steps expect 0

assert fetched { all p: Parcel | eventually some p.by }
check fetched for 1 but 4 steps expect 1
