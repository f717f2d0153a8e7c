#!/bin/sh
# Writes the election of a leader in a ring of N processes as VMT-LIB: sh leader.sh 12 > leader12.vmt
#
# Each process has a number that nobody else has, and tells its neighbour the greatest it has heard of. All of them
# work at the same time. In the end everybody knows the greatest number: after N - 1 rounds, whatever the numbers are.
set -eu
n=${1:?how many processes? as in: sh leader.sh 12}
last=$((n - 1))
echo "; The election of a leader in a ring of $n processes: everybody passes on the greatest number heard of."
echo
for i in $(seq 0 "$last"); do
  echo "(declare-fun x$i () Int)"
  echo "(declare-fun x$i.next () Int)"
  echo "(define-fun .x$i () Int (! x$i :next x$i.next))"
  echo "(declare-fun id$i () Int)"
  echo "(define-fun .id$i () Int (! id$i :global true))"
done
echo "(declare-fun leader () Int)"
echo "(define-fun .leader () Int (! leader :global true))"
all=$(for i in $(seq 0 "$last"); do printf ' id%s' "$i"; done)
if [ "$n" -gt 1 ]; then
  echo "(define-fun .different () Bool (! (distinct$all) :axiom true))"
fi
echo "(define-fun .greatest () Bool (! (and"
for i in $(seq 0 "$last"); do echo "  (>= leader id$i)"; done
printf '  (or'
for i in $(seq 0 "$last"); do printf ' (= leader id%s)' "$i"; done
echo ")) :axiom true))"
printf '(define-fun .init () Bool (! (and'
for i in $(seq 0 "$last"); do printf ' (= x%s id%s)' "$i" "$i"; done
echo ") :init true))"
echo "(define-fun .trans () Bool (! (and"
for i in $(seq 0 "$last"); do
  next=$(((i + 1) % n))
  echo "  (= x$i.next (ite (> x$next x$i) x$next x$i))"
done
echo ") :trans true))"
echo "(define-fun .elected () Bool (! (ctl.AF (= x0 leader)) :ctl-property 0 :expect holds))"
echo "(define-fun .no-impostor () Bool (! (<= x0 leader) :invar-property 1 :expect holds))"
echo "(define-fun .humble () Bool (! (ctl.AF (= x0 id1)) :ctl-property 2 :expect fails))"
echo "(assert true)"
