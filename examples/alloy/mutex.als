/* Mutual exclusion by turns asked for.

   A process that wants to enter raises its flag and gives the turn away; it enters when nobody else has the flag
   up, or when the turn is its own. That is Peterson's algorithm. In `Rude`, processes forget to give the turn away.
   Only runs on which each of them moves again and again count, so what must happen is asked of infinite runs: no
   formula is one of finite liveness here.

     wherefore check mutex.als

   After the mutual exclusion of Farheen, Day, Vakili and Abbassi (2020); the algorithm is Peterson's (1981). */

open ctlfc[Moment]

enum Place { Outside, Wanting, Inside }
enum Manners { Polite, Rude }
abstract sig Process {}
one sig A, B extends Process {}

sig Moment {
  at: Process -> one Place,
  turn: one Process,
  moved: set Process,
  manners: one Manners
}

fact { all m, n: Moment | m.at = n.at and m.turn = n.turn and m.moved = n.moved and m.manners = n.manners implies m = n }

fun other[p: Process]: Process { Process - p }

pred nobodyIn[m: Moment] { m.at = Process -> Outside and m.turn = A and no m.moved }

pred moves[m, n: Moment, p: Process, to: Place] {
  n.at = m.at ++ p -> to
  n.moved = (m.moved = Process implies p else m.moved + p)
  n.manners = m.manners
}

pred wants[m, n: Moment, p: Process] {
  p.(m.at) = Outside
  moves[m, n, p, Wanting]
  n.turn = (m.manners = Polite implies other[p] else m.turn)
}
pred enters[m, n: Moment, p: Process] {
  p.(m.at) = Wanting
  other[p].(m.at) = Outside or m.turn = p
  moves[m, n, p, Inside]
  n.turn = m.turn
}
pred leaves[m, n: Moment, p: Process] {
  p.(m.at) = Inside
  moves[m, n, p, Outside]
  n.turn = m.turn
}
pred waits[m, n: Moment, p: Process] {
  p.(m.at) = Outside or (p.(m.at) = Wanting and other[p].(m.at) != Outside and m.turn != p)
  moves[m, n, p, p.(m.at)]
  n.turn = m.turn
}

fact {
  all m: Moment | m in initialState iff nobodyIn[m]
  all m, n: Moment | m -> n in nextState iff
    (some p: Process | wants[m, n, p] or enters[m, n, p] or leaves[m, n, p] or waits[m, n, p])
  -- Each of them moves again and again: `moved` is full again and again. It says who moved since it was full.
  all m: Moment | m in fc iff m.moved = Process
}

-- Never are both inside.
check NeverBoth {
  ctlfc_mc[ag[{m: Moment | m.manners = Polite implies not (A + B).(m.at) = Inside}]]
} for 12 Moment

-- The same, when nobody gives the turn away.
check NeverBothAmongRudeOnes {
  ctlfc_mc[ag[{m: Moment | m.manners = Rude implies not (A + B).(m.at) = Inside}]]
} for 12 Moment

-- Both get to move.
check BothMove { ctlfc_mc[af[{m: Moment | m.moved = Process}]] } for 12 Moment

-- Whoever wants to enter gets in.
check AGetsIn {
  ctlfc_mc[ag[imp_[{m: Moment | m.manners = Polite and A.(m.at) = Wanting}, af[{m: Moment | A.(m.at) = Inside}]]]]
} for 12 Moment

-- The same, when nobody gives the turn away: B may wait for ever.
check BGetsInAmongRudeOnes {
  ctlfc_mc[ag[imp_[{m: Moment | m.manners = Rude and B.(m.at) = Wanting}, af[{m: Moment | B.(m.at) = Inside}]]]]
} for 12 Moment

-- B may get in before A.
run BFirst { ctlfc_mc[eu[{m: Moment | A.(m.at) != Inside}, {m: Moment | B.(m.at) = Inside}]] } for 12 Moment
