module library

open util/ordering[Day] as days

enum Mood { Quiet, Loud }

abstract sig Person { friends: set Person }
sig Reader extends Person { card: lone Card, mood: one Mood }
one sig Keeper extends Person { loans: Day -> Book -> lone Reader }
sig Card { number: one Int }
sig Book { title: lone String, pages: seq Page }
sig Page {}
sig Day {}
sig Rare in Book {}
sig Known in Reader + Card {}

fact {
  friends = ~friends
  all disj c, d: Card | c.number != d.number
  "Emma" in Book.title
}

pred borrow[b: Book, r: Reader] {
  b in Rare and r in Known and some r.card and some r.friends
  r = Keeper.loans[first][b]
  some b.pages and some Page
}

run borrow for 2 but 2 Page, 3 Int
