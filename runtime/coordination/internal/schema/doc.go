// Package schema defines the keys of a job in its store: their names, which process may write each,
// and the largest size of a value. Package coordination reads and writes the keys. Package store
// refuses writes by other processes.
//
//	file     holds
//	keys.go  Job, Epoch: the keys; Owner, ReadStatus: what a key means
package schema
