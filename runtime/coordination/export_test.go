package coordination

// SetVersion makes this process one of another version of the module.
func SetVersion(v string) { version = v }

// SetHostsFile makes Detect read another file than /etc/hosts.
func SetHostsFile(name string) { hostsFile = name }
