def programs():
    return ()
