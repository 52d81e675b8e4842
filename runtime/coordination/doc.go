// Package coordination makes one job of several processes: they find each other, wait for each
// other, tell each other values, and learn within seconds when one of them is lost.
//
// It moves no tensors (package transport does) and knows nothing of devices. It keeps its data in a
// store, an etcd server: `gospmd launch` runs it, or `gospmd coordinator`, or process 0 of a
// program that imports package embedded. It may also be an etcd cluster that already runs
// (Options.Endpoints). Programs link etcd's client only. A process is alive as long as it renews
// its lease in the store.
//
// Order of use: Detect, if a launcher or a scheduler has started the process; Join; Exchange,
// Barrier, Set and Get; Leave when the work is done, or Fail if it cannot be done. Whenever you
// wait for another process, wait for Failed too.
//
//	file              holds
//	options.go        Options: the addresses, the numbers; the checks of them
//	credentials.go    what authenticates a process: TLS, VerifyPeer
//	register.go       the store in process 0: RegisterStore, for package embedded
//	join.go           Join: process 0 opens the job, all enter it and wait for each other
//	waiting.go        what Join says it waits for
//	connect.go        how a process reaches the store
//	probe.go          what listens at the store's address; the error if it is another program
//	service.go        Service, ProcessError; Fail and Leave
//	members.go        what is known of each process
//	liveness.go       leases: how the others, and the process itself, notice that it is lost
//	values.go         Set, Get, Lookup, Exchange, Barrier
//	address.go        FreeAddress, LocalHost
//	detect.go         Detect: the order of the sources that say who the processes are
//	detect_sources.go sources: our variables, Keras', TF_CONFIG, Slurm, Open MPI, TPUs, Kubernetes
//
// # What is lost when
//
// If a process is killed, stopped or cut off, all others report it when its lease ends: Failed is
// closed, Err names the process, and waiting calls of this package return that error. If the store
// runs outside of the processes, this includes process 0, and the loss of the store is reported as
// the loss of the coordinator. The first failure ends the job. The job does not go on with fewer
// processes: start it again.
//
// A process that was stopped until its lease ended, and then goes on, fails by itself. Before it
// notices, it can write nothing: each write checks that the process is still the same member. A job
// that was started again at the same store has another epoch. All keys begin with the epoch, so
// that old and new processes do not see each other's keys.
//
// # Security
//
// With a secret or certificates (package jobtls) all connections are TLS 1.3, and both sides show a
// certificate of the job's CA. `gospmd launch` makes one for each process. A certificate that
// carries a rank is valid for that process only; package store refuses its writes of other
// processes' keys. Without credentials the store is open to everybody who can reach its address. It
// warns of that, unless the address is on the loopback interface.
package coordination
