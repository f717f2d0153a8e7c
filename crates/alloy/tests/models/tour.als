module shop/tour

open util/ordering[Day] as days
open util/boolean
open util/relation as rel

enum Colour { Red, Green, Blue }

sig Day {}

abstract sig Thing {
  colour: one Colour,
  disj price, cost: lone Int,
  near: set Thing
} {
  near = ~@near[this] - this
}

one sig Till extends Thing {
  drawer: Day -> lone Coin
}
sig Coin extends Thing {
  worth: disj lone Mark,
  private owner: Person lone -> some Day
}
some sig Mark {}
lone sig Boss in Person {}
sig Person, Robot {
  name: lone String,
  bag: seq Coin,
  ready: Bool
}
sig Worker in Person + Robot {}
sig Staff = Worker + Boss {}
private sig Hidden {
  doubled = Hidden -> Hidden
}

fact Naming {
  all disj p, q: Person | p.name != q.name
  "Ada" in Person.name or no Person.name
}

pred show[d: Day, t: Till] {
  some t.drawer[d] and d in first + last
  d.next in days/nexts[d] => lone d.next else no d.next
}

pred Person.carries[c: Coin] { c in Int.(this.bag) }

fun total[cs: set Coin]: Int { sum c: cs | #c.near }

fun Till.content: set Coin { Day.(this.drawer) }

let twice[e] = e.plus[e]
let empty { no Coin }

assert Sensible {
  all t: Till, c: t.content | some c.colour
  let cs = Coin.near & Coin | not (cs != Coin && some cs) || empty
  no p: Person | p.carries[none & Coin] iff one Robot
  one m: Mark | lone r: Robot | m -> r not in Mark -> Robot
  twice[#Coin] >= 0 and total[Coin] =< 7
  #{ x: Thing, y: x.near | x !in y } > -1
  disj[Coin, Till] and rel/dom[near] in Thing and isTrue[True]
  colour.Red <: near :> Till = near ++ Till -> Coin
  all s: seq Coin | s.isEmpty or some s.first
}

run show for 3 but exactly 2 Day, 5 Int, 2 seq expect 1
check Sensible for 3
quick: run { some Staff and Hidden in univ } for 2 Day, 3 Thing, 2 Mark, 1 Person, 1 Robot, 1 Hidden
run total
