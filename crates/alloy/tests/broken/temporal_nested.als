var sig A {}
fact { always }
