// Package coordination makes one job of several processes: they find each other,
// wait for each other, tell each other values, and learn within seconds when one
// of them is lost.
//
// It moves no tensors (package transport does) and knows nothing of devices. The store
// behind it is etcd: `gospmd launch` holds it, or `gospmd coordinator`, or an etcd cluster
// that is there (Options.Endpoints), or process 0 of a program that imports package
// embedded. Programs link etcd's client only. A process is alive as long as it renews its
// lease in the store.
//
// Order of use: Detect, where a launcher or a scheduler has started the process;
// Join; Exchange, Barrier, Set and Get; Leave when the work is done, or Fail when
// it cannot be. Wait for Failed beside all that could wait for another process.
//
//	file              holds
//	options.go        Options: the addresses, the numbers; the checks of them
//	credentials.go    what authenticates a process: TLS, VerifyPeer
//	register.go       the store in process 0: RegisterStore, for package embedded
//	join.go           Join: process 0 opens the job, all enter it and wait for each other
//	waiting.go        what Join says it waits for
//	connect.go        how a process reaches the store
//	probe.go          what listens at its address, and what it says if that is another program
//	service.go        Service, ProcessError; Fail and Leave
//	members.go        what is known of each process
//	liveness.go       leases: how a lost process is noticed, also by itself
//	values.go         Set, Get, Lookup, Exchange, Barrier
//	address.go        FreeAddress, LocalHost
//	detect.go         Detect: the order of the sources that say who the processes are
//	detect_sources.go what each says: our variables, Keras', TF_CONFIG, Slurm, Open MPI, TPU workers, Kubernetes
//
// # What is lost when
//
// A process that is killed, or stopped, or cut off, is reported by all others when
// its lease is over: Failed is closed, Err names it, and calls that wait in this package
// return that error. If the store is apart from all processes, this holds for process 0
// too, and the loss of the store itself is reported as that of the coordinator. The first
// failure ends the job: it does not go on with fewer processes, it is started again.
//
// A process that was stopped and goes on finds its lease gone. It fails by itself,
// and until it has noticed, it can write nothing, since each write asks for the
// member that this process was. A job that was started again at the same store
// has another epoch, and all keys are below their epoch.
//
// # Security
//
// With a secret or certificates (package jobtls) all connections are TLS 1.3, and both
// sides show a certificate of the job's CA. `gospmd launch` makes one for each process.
// A certificate that carries a rank is good for that process only; package store lets it
// write no keys of others. Without credentials the store is open to all who reach its
// address. It says so, unless that address is on the loopback interface.
package coordination
