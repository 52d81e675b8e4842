// Package store runs the store of jobs: an etcd server in this process. Its directory is deleted
// when the store is closed.
//
// It serves keys, leases and watches, and nothing else: no administration, no metrics, no debug
// pages, no listener for other members of a cluster. With credentials it accepts only TLS, and a
// process whose certificate carries a rank can write only its own keys. Package coordination is its
// client.
//
// It is a package of its own because etcd's server is large: programs that run models link the
// client only. `gospmd launch` and `gospmd coordinator` run a store, and so does process 0 of a
// program that imports package embedded.
//
// Order of use: Start, Addr, Close.
//
//	file           holds
//	store.go       Start: the server, its limits, how it ends
//	failure.go     an etcd that cannot go on: an error, not the end of the process
//	listen.go      where it listens, and who reaches that address
//	authorize.go   who may call what
//	handshake.go   TLS, and what is said about connections that are refused
package store
