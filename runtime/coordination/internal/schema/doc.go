// Package schema names what a job has in its store: the keys, who may write each, and
// how large a value may be. Package coordination reads and writes them; package store
// refuses writes by others.
//
//	file     holds
//	keys.go  Job, Epoch: the keys; Owner and Member: what a key says
package schema
