sig A {}
run {} for 3.. A
