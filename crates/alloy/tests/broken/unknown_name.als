sig Person { friends: set Person }
fact { all p: Person | p in p.frends }
run {}
