/* Who may read what: folders inside folders, groups inside groups, and a door that stays open.

   A user may read a document if somebody granted the right on the document or on a folder around it, to the user or
   to a group around the user. A folder can be marked closed: what is inside must not be reached through rights that
   were granted further out. `closedIsClosed` finds that the rule forgets documents that lie deeper in a closed folder,
   and `mended` holds in the same scope.

     wherefore check rights.als
*/

abstract sig Principal { around: set Group }
sig User, Group extends Principal {}

abstract sig Item { within: lone Folder }
sig Folder extends Item {}
sig Document extends Item {}
sig Closed in Folder {}

sig Grant { to: one Principal, on: one Item }

fact noCircles {
  no f: Folder | f in f.^within
  no g: Group | g in g.^around
}

// The grants that count for an item: those on it, and those on everything around it, unless it lies in a closed folder.
fun counted [i: Item]: set Grant {
  on.i + (i.within in Closed implies none else on.(i.^within))
}

// The same, but nothing comes through a closed folder on the way.
fun mendedCounted [i: Item]: set Grant {
  on.i + on.{ outer: i.^within | no c: Closed | c in i.^within and outer in c.^within }
       - on.(i.^within & Closed)
}

pred mayRead [u: User, d: Document] { some counted[d].to & u.*around }

// A right that comes from a group and from a folder at the same time.
pred byWay [u: User, d: Document] {
  mayRead[u, d]
  no g: Grant | g.to = u or g.on = d
}
run byWay for 3 expect 1

// Whoever reads something in a closed folder was granted a right on something in it.
assert closedIsClosed {
  all u: User, d: Document, c: Closed |
    mayRead[u, d] and c in d.^within implies
      some g: Grant | g.to in u.*around and c in g.on.^within
}
check closedIsClosed for 3 expect 1

assert mended {
  all u: User, d: Document, c: Closed |
    some mendedCounted[d].to & u.*around and c in d.^within implies
      some g: Grant | g.to in u.*around and c in g.on.^within
}
check mended for 3 expect 0
