let   unformatted = 1
