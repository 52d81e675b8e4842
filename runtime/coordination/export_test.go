package coordination

// SetVersion makes this process one of another version of the module.
func SetVersion(v string) { version = v }
