open util/time

sig Lamp { on: dynamicSet[Level], level: dynamic[Level] }
sig Level {}

pred low[t: Time] { lt[t, last] }
pred tick[t, u: Time] { u = t.next }
pred stay[t, u: Time] { u = t }

check one_value { all l: Lamp, t: Time | one l.level.t }
check one_after_the_other { all t, u: Time | then[tick, tick, t, u] iff u = t.next.next and some u } for 4
check not_at_all { all t, u: Time | while0[low, tick, t, u] iff (t = last and u = t) } for 4
check to_the_end { all u: Time | while[low, tick, first, u] iff u = last } for 4
check not_far_enough { no u: Time | while2[low, tick, first, u] } for 4
check nine { all u: Time | while9[low, tick, first, u] iff u = last } for 6
check idle { no u: Time | while5[low, stay, first, u] } for 3
