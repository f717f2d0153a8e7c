sig A {}
pred shows { }
assert Alls { some A }
run show
check All
run shows for 3 Bs
