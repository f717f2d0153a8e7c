/* A rota for a clinic: rules that sound right one by one and leave nobody to work.

   Every shift needs two people, one of them with experience; nobody works two shifts in a row; and there are only two
   people with experience, one of whom is away. `restedAfterwards` passes, but for the wrong reason: the facts cannot
   hold together. The answer names the rules that are to blame, and `enough` is not among them: the one who is left with
   experience would have to work all shifts. Without any one of these rules there is a rota; leave one out and ask again.

     wherefore check rota.als
*/
open util/ordering[Shift] as shifts

sig Person {}
sig Experienced in Person {}
sig Away in Person {}

sig Shift { works: set Person }

fact enough { all s: Shift | #s.works >= 2 }
fact led { all s: Shift | some s.works & Experienced }
fact rest { all s: Shift - shifts/last | no s.works & s.(shifts/next).works }
fact present { no Shift.works & Away }
fact holidays { some Experienced & Away  #Experienced = 2 }

assert restedAfterwards { all p: Person, s: Shift | p in s.works implies p not in s.(shifts/next).works }
check restedAfterwards for 5 but 3 Shift

run plan { some works } for 5 but 3 Shift
