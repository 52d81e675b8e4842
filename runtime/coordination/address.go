package coordination

// This file finds addresses for jobs on one machine.

import "net"

// FreeAddress returns an address of this machine, for programs on it only, on which
// nobody listens: "127.0.0.1:41234".
func FreeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}
