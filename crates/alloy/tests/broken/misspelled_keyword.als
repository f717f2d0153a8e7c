sgi A {}
abstract sigg B {}
run {}
