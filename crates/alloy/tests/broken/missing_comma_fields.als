sig A {
  f: set A
  g: set A
}
run {}
