package coordination

// This file implements Detect, which reads the job from the variables that launchers and
// schedulers set.

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
)

// The environment variables of gospmd, which `gospmd launch` sets. Each takes precedence over the
// schedulers' variables of the same meaning.
const (
	VariableAddress      = "GOSPMD_JOB_ADDRESS"
	VariableNumProcesses = "GOSPMD_NUM_PROCESSES"
	VariableProcessID    = "GOSPMD_PROCESS_ID"
	VariableCoordinator  = "GOSPMD_COORDINATOR" // Options.Endpoints
	VariableJobName      = "GOSPMD_JOB_NAME"
)

// The variables of keras.distribution.initialize.
const (
	kerasAddresses    = "KERAS_DISTRIBUTION_JOB_ADDRESSES"
	kerasNumProcesses = "KERAS_DISTRIBUTION_NUM_PROCESSES"
	kerasProcessID    = "KERAS_DISTRIBUTION_PROCESS_ID"
)

// finding is the description of the job by one source of environment variables: where the store is,
// the number of processes and this process' id. A field that the source does not set is empty or
// -1.
type finding struct {
	endpoints  string // addresses of a store that already runs; used in place of address
	address    string
	number, id int
	// missing is a text for errors: how to set what the source leaves out.
	missing string
}

var nothing = finding{number: -1, id: -1}

// source describes a set of environment variables that define a job.
type source struct {
	name  string
	marks []string // the source is present if all of these variables are set
	read  func(e *environment) finding
}

// explicit lists the sources whose variables the user or `gospmd launch` sets one by one. A later
// source may add what an earlier one leaves out.
var explicit = []source{
	{"GOSPMD_* variables", nil, readOwn},
	{"KERAS_DISTRIBUTION_* variables", nil, readKeras},
}

// clusters lists the sources of schedulers and launchers. More special ones come first: mpirun may
// run inside a Slurm job, and a TPU pod is also a Kubernetes pod. The first source that is present
// adds what explicit sources leave out.
var clusters = []source{
	{"TF_CONFIG", []string{"TF_CONFIG"}, readTFConfig},
	{"Open MPI", []string{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"}, readOpenMPI},
	{"Slurm", []string{"SLURM_JOB_ID", "SLURM_STEP_NODELIST", "SLURM_PROCID"}, readSlurm},
	{"TPU workers", []string{"TPU_WORKER_ID", "TPU_WORKER_HOSTNAMES"}, readTPU},
	{"TPU workers", []string{"TPU_WORKER_ID", "TPU_PROCESS_ADDRESSES"}, readTPU},
	{"Kubernetes", []string{"KUBERNETES_SERVICE_HOST", "JOB_COMPLETION_INDEX"}, readKubernetes},
}

// Detect returns the address, the number of processes and the id of this process as the environment
// sets them, and the source that sets them. env is os.Getenv, or a substitute. ok is false if the
// environment sets no job, and on an error. It is true for a job of one process too, whose id is 0.
//
// The sources, in this order: the GOSPMD_* and the KERAS_DISTRIBUTION_* variables, which may be set
// alone, and one of TF_CONFIG, Open MPI, Slurm, TPU workers of GKE, indexed Jobs and JobSets of
// Kubernetes. If a variable is malformed or missing, the error names it.
func Detect(env func(string) string) (o Options, from string, ok bool, err error) {
	e := &environment{get: env}
	found := nothing
	var names []string
	for _, s := range explicit {
		if found.add(s.read(e)) {
			names = append(names, s.name)
		}
	}
	for _, s := range clusters {
		if found.isComplete() || !e.has(s.marks) {
			continue
		}
		e.source = " of " + s.name
		if found.add(s.read(e)) {
			names = append(names, s.name)
		}
		break
	}
	from = strings.Join(names, " and ")
	if e.err != nil {
		return Options{}, from, false, fmt.Errorf("coordination: %w", e.err)
	}
	if len(names) == 0 {
		return Options{}, "", false, nil
	}
	if found.number == 1 {
		return Options{Address: found.address, Endpoints: found.endpoints, NumProcesses: 1}, from, true, nil
	}
	if err := found.check(); err != nil {
		return Options{}, from, false, fmt.Errorf("coordination: %s: %w", from, err)
	}
	return Options{Address: found.address, Endpoints: found.endpoints, NumProcesses: found.number, ProcessID: found.id}, from, true, nil
}

func (f *finding) isComplete() bool {
	return f.number == 1 || f.number >= 0 && f.id >= 0 && f.isLocated()
}

// isLocated reports whether it is known where the store is.
func (f *finding) isLocated() bool { return f.endpoints != "" || f.address != "" }

// add copies the fields of other that are unset in f, and reports whether that changed f. It always
// takes other.missing.
func (f *finding) add(other finding) bool {
	before := *f
	if !f.isLocated() {
		f.endpoints, f.address = other.endpoints, other.address
	}
	if f.number < 0 {
		f.number = other.number
	}
	if f.id < 0 {
		f.id = other.id
	}
	changed := *f != before
	f.missing = other.missing
	return changed
}

// check returns an error if the finding lacks address, number or id of the processes, which the
// error names, or contradicts itself.
func (f *finding) check() error {
	var lacks []string
	if !f.isLocated() {
		lacks = append(lacks, VariableAddress+" (host:port of process 0)")
	}
	if f.number < 0 {
		lacks = append(lacks, VariableNumProcesses)
	}
	if f.id < 0 {
		lacks = append(lacks, VariableProcessID)
	}
	switch {
	case len(lacks) > 0 && f.missing != "":
		return fmt.Errorf("set %s: %s", strings.Join(lacks, ", "), f.missing)
	case len(lacks) > 0:
		return fmt.Errorf("set %s too", strings.Join(lacks, ", "))
	case f.id >= f.number:
		return fmt.Errorf("process id %d of a job of %d: ids go from 0 to %d", f.id, f.number, f.number-1)
	}
	return nil
}

// environment reads variables and keeps the first error.
type environment struct {
	get    func(string) string
	source string // name of the source, for errors
	err    error
}

func (e *environment) has(variables []string) bool {
	for _, v := range variables {
		if e.get(v) == "" {
			return false
		}
	}
	return true
}

// fault records, unless there is one already, the error that a variable does not have a value as
// wanted.
func (e *environment) fault(variable, want string) {
	if e.err == nil {
		e.err = fmt.Errorf("variable %s%s is %q: want %s", variable, e.source, e.get(variable), want)
	}
}

// number returns the value of a variable as a number, -1 if it is not set. Another text than a
// whole number from 0 is a fault, and gives -1.
func (e *environment) number(variable string) int {
	text := e.get(variable)
	if text == "" {
		return -1
	}
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || n < 0 {
		e.fault(variable, "a whole number, 0 or more")
		return -1
	}
	return n
}

// count returns the number in a variable, as number does; 0 is a fault: it must be at least 1.
func (e *environment) count(variable string) int {
	n := e.number(variable)
	if n == 0 {
		e.fault(variable, "a number of processes, 1 or more")
	}
	return n
}

// requiredNumber returns the number in a variable, as number does; a variable that is not set is a
// fault.
func (e *environment) requiredNumber(variable string) int {
	if e.get(variable) == "" {
		e.fault(variable, "a whole number, 0 or more")
	}
	return e.number(variable)
}

// checkAddress returns an error unless address is host:port with a host and a number from 1 to
// 65535.
func checkAddress(address string) error {
	host, number, err := net.SplitHostPort(address)
	if err != nil {
		return err
	}
	if n, err := strconv.Atoi(number); host == "" || err != nil || n < 1 || n > 65535 {
		return errors.New("want host:port")
	}
	return nil
}
