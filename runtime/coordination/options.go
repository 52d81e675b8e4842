package coordination

// This file defines Options, which say how a process finds the others of its job, and checks them.

import (
	"cmp"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"
)

// Options describe the job, and this process in it. They are comparable.
type Options struct {
	// Address is the host:port of the job's coordinator. In a program that imports package
	// embedded, process 0 is the coordinator and listens there. In other programs all
	// processes connect to a coordinator there, such as `gospmd coordinator`.
	Address string
	// Endpoints are the host:port of a coordinator that already runs, or of the members of an etcd
	// cluster, separated by commas. Address is then ignored. If both are empty, the environment
	// variable GOSPMD_COORDINATOR has them.
	Endpoints string
	// JobName is the name of the job. Jobs that share a coordinator or an etcd cluster need
	// different names: jobs with the same name cannot run at the same time. If it is empty, the
	// environment variable GOSPMD_JOB_NAME has it; if that is empty too, it is "default".
	JobName string
	// NumProcesses is the number of processes of the job, the same in all of them.
	NumProcesses int
	// ProcessID is the number of this process, 0 to NumProcesses-1: its rank.
	ProcessID int
	// Name is the name of this process in errors of other processes. The default is host:pid.
	Name string
	// Lease is how long a process may be silent before the others take it for lost:
	// 3 s if zero, at least 1 s, rounded up to seconds.
	Lease time.Duration
	// JoinTimeout is how long Join waits for the others, 5 min if zero.
	JoinTimeout time.Duration
	// CertFile, KeyFile and CAFile are PEM files: with them the processes use TLS, and each must
	// show a certificate that the CA has signed. Set all three or none. If these and Secret are
	// empty, GOSPMD_JOB_CERT, GOSPMD_JOB_KEY and GOSPMD_JOB_CA name the files.
	CertFile, KeyFile, CAFile string
	// Secret is a secret of at least 32 random characters that all processes of the job share. Each
	// process derives its certificate from it. If it and the files are empty, the environment
	// variable GOSPMD_JOB_SECRET has it.
	Secret string
	// Logger receives warnings: which processes Join waits for, and that a coordinator is open to
	// strangers. nil is slog.Default.
	Logger *slog.Logger
}

const (
	defaultLease       = 3 * time.Second
	defaultJoinTimeout = 5 * time.Minute
	defaultJobName     = "default"
)

// withDefaults returns o with defaults filled in, from the environment where it has them, and the
// lease rounded up to whole seconds. Numbers, addresses, leases and credentials that are invalid
// are errors.
func (o Options) withDefaults() (Options, error) {
	o = o.withCredentials(os.Getenv)
	o.JobName = cmp.Or(o.JobName, os.Getenv(VariableJobName), defaultJobName)
	if o.Address == "" && o.Endpoints == "" {
		o.Endpoints = os.Getenv(VariableCoordinator)
	}
	if o.NumProcesses < 1 {
		return o, fmt.Errorf("the number of processes is %d, it must be 1 or more", o.NumProcesses)
	}
	if o.ProcessID < 0 || o.ProcessID >= o.NumProcesses {
		return o, fmt.Errorf("process id %d of a job of %d: ids go from 0 to %d", o.ProcessID, o.NumProcesses, o.NumProcesses-1)
	}
	if o.Endpoints == "" && checkAddress(o.Address) != nil {
		return o, fmt.Errorf("job address %q: want host:port of the coordinator, such as 10.0.0.1:12345", o.Address)
	}
	for _, endpoint := range o.endpoints() {
		if checkAddress(endpoint) != nil {
			return o, fmt.Errorf("endpoint %q of %q: want host:port of a coordinator or of a member of an etcd cluster, several with commas between", endpoint, o.Endpoints)
		}
	}
	if o.Lease == 0 {
		o.Lease = defaultLease
	}
	if o.Lease < time.Second {
		return o, fmt.Errorf("a lease of %v is too short, it must be at least 1s", o.Lease)
	}
	o.Lease = (o.Lease + time.Second - 1).Truncate(time.Second)
	if o.JoinTimeout == 0 {
		o.JoinTimeout = defaultJoinTimeout
	}
	if err := o.checkCredentials(); err != nil {
		return o, err
	}
	if o.Name == "" {
		host, err := os.Hostname()
		if err != nil {
			host = "unknown"
		}
		o.Name = fmt.Sprintf("%s:%d", host, os.Getpid())
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	return o, nil
}

// endpoints returns the addresses of the store: those of Endpoints, or else the address of the
// coordinator.
func (o Options) endpoints() []string {
	list := strings.Split(cmp.Or(o.Endpoints, o.Address), ",")
	for i, endpoint := range list {
		list[i] = strings.TrimSpace(endpoint)
	}
	return list
}

// storeName names the store in messages.
func (o Options) storeName() string { return strings.Join(o.endpoints(), ", ") }
