// Package embedded lets process 0 of a job run the job's store, so that the job needs no
// `gospmd launch` and no `gospmd coordinator`:
//
//	import _ "github.com/gospmd/gospmd/runtime/coordination/embedded"
//
// All processes link etcd's server then, and the job cannot outlive process 0.
//
//	file          holds
//	embedded.go   what importing the package registers
package embedded
