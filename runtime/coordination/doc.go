// Package coordination makes one job of several processes: they find each other,
// wait for each other, tell each other values, and learn within seconds when one
// of them is lost.
//
// It moves no tensors (package transport does) and knows nothing of devices. The
// store behind it is etcd, which process 0 runs as part of the program; a process
// is alive as long as it renews its lease there.
//
// Order of use: Detect, where a launcher or a scheduler has started the process;
// Join; Exchange, Barrier, Set and Get; Leave when the work is done, or Fail when
// it cannot be. Wait for Failed beside all that could wait for another process.
//
//	file              holds
//	options.go        Options: the address, the numbers, TLS; the checks of them
//	join.go           Join: process 0 opens the job, all enter it and wait for each other
//	connect.go        how a process finds the store, and what it says if it does not
//	server.go         the etcd of process 0, and its directory
//	service.go        Service, ProcessError; Fail and Leave
//	members.go        what is known of each process; the keys of the store
//	liveness.go       leases: how a lost process is noticed, also by itself
//	values.go         Set, Get, Lookup, Exchange, Barrier
//	address.go        FreeAddress
//	detect.go         Detect: the order of what may say who the processes are
//	detect_sources.go what each says: our variables, Keras', TF_CONFIG, Slurm, Open MPI, TPU workers, Kubernetes
//
// # What is lost when
//
// A process that is killed, or stopped, or cut off, is reported by all others when
// its lease is over: Failed is closed, Err names it, and what waits in this package
// returns that error. If it is process 0, which has the store, each other process
// notices for itself that it does not answer. The first failure ends the job: it
// does not go on with fewer processes, it is started again.
//
// A process that was stopped and goes on finds its lease gone. It fails by itself,
// and until it has noticed, it can write nothing, since each write asks for the
// member that this process was. A job that was started again at the same address
// has another epoch, and all keys are below their epoch.
//
// # Security
//
// Whoever reaches the job address can take part in the job, unless TLS is used:
// nothing else is checked. The store listens at the given address only; choose one
// of a network that strangers do not reach, or give certificates
// (Options.CertFile, KeyFile, CAFile), by which both sides are checked.
package coordination
