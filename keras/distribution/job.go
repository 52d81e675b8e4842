package distribution

// This file defines the job of several processes that this process belongs to: the options and
// environment variables that describe it, the numbers of the processes, and the entropy that they
// share.

import (
	"context"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/runtime/coordination"
)

// ProcessID returns the number of this process in its job, 0 for a process alone:
// keras.distribution's process id. Process 0 is the chief: it writes files that only one process
// may write.
func ProcessID() int { return jobOptions().ProcessID }

// NumProcesses returns the number of processes of the job, 1 for a process alone:
// keras.distribution's number of processes.
func NumProcesses() int { return max(1, jobOptions().NumProcesses) }

func jobOptions() Options {
	process.Lock()
	defer process.Unlock()
	if process.options == nil {
		return Options{}
	}
	return *process.options
}

// IsInitialized reports whether Initialize or UseClient was called.
func IsInitialized() bool {
	process.Lock()
	defer process.Unlock()
	return process.initialized
}

// Keras describes a job in these environment variables.
const (
	addressesEnv    = "KERAS_DISTRIBUTION_JOB_ADDRESSES"
	numProcessesEnv = "KERAS_DISTRIBUTION_NUM_PROCESSES"
	processIDEnv    = "KERAS_DISTRIBUTION_PROCESS_ID"
)

// completeJob returns o with the options of the job that are not given taken from the environment,
// which env reads. If none is given, it looks for a job of a cluster manager (Detect). Otherwise it
// takes the address from gospmd's variable or Keras', and the numbers from Keras' variables. With
// NumProcesses 1 it returns o as it is. A number that cannot be read, and options that do not fit
// together, are errors.
func completeJob(o Options, env func(string) string) (Options, error) {
	if o.JobAddresses == "" && o.Endpoints == "" && o.NumProcesses == 0 && o.ProcessID == 0 {
		o, err := o.Detect(env)
		if err != nil {
			return o, fmt.Errorf("distribution: %w", err)
		}
		return o, nil
	}
	if o.NumProcesses == 1 {
		return o, nil
	}
	if o.JobAddresses == "" && o.Endpoints == "" {
		if o.Endpoints = env(coordination.VariableCoordinator); o.Endpoints == "" {
			o.JobAddresses = env(addressesEnv)
		}
	}
	for _, v := range []struct {
		name string
		to   *int
	}{{numProcessesEnv, &o.NumProcesses}, {processIDEnv, &o.ProcessID}} {
		text := env(v.name)
		if *v.to != 0 || text == "" {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil {
			return o, fmt.Errorf("distribution: the environment variable %s is %q, want a number", v.name, text)
		}
		*v.to = n
	}
	return o, checkJob(&o)
}

// checkJob returns an error if the options of a job have no address, if they do not say how many
// processes there are, or if ProcessID is not one of these. Several addresses in JobAddresses say
// the number, which it then sets in o.
func checkJob(o *Options) error {
	addresses := strings.Split(o.JobAddresses, ",")
	switch {
	case o.JobAddresses == "" && o.Endpoints == "":
		return fmt.Errorf("distribution: Options say process %d of %d without JobAddresses: want the host:port of process 0, such as 10.0.0.1:12345, or %s", o.ProcessID, o.NumProcesses, addressesEnv)
	case o.NumProcesses == 0 && o.JobAddresses == "":
		return fmt.Errorf("distribution: Endpoints are %s, and NumProcesses is not given: give it", o.Endpoints)
	case o.NumProcesses == 0 && len(addresses) == 1:
		return fmt.Errorf("distribution: JobAddresses has one address, %s, and NumProcesses is not given: give it, or the addresses of all processes, separated by commas", o.JobAddresses)
	case o.NumProcesses == 0:
		o.NumProcesses = len(addresses)
	}
	if o.NumProcesses < 0 || o.ProcessID < 0 || o.ProcessID >= o.NumProcesses {
		return fmt.Errorf("distribution: got ProcessID %d of %d processes, want a number from 0 to %d", o.ProcessID, o.NumProcesses, max(0, o.NumProcesses-1))
	}
	return nil
}

// shareEntropy makes all processes of a job, as o describes it, draw the same seeds if none are
// given: those of process 0. The first draw opens the client. For one process each draw is its own.
// It sets the entropy of package random.
func shareEntropy(o Options) {
	if o.NumProcesses <= 1 {
		random.SetEntropy(nil)
		return
	}
	random.SetEntropy(func() ([]uint32, error) {
		ctx := context.Background()
		c, err := Client(ctx)
		if err != nil {
			return nil, err
		}
		values, err := c.Exchange(ctx, "entropy", wordBytes(random.Entropy()))
		if err != nil {
			return nil, err
		}
		return words(values[0]), nil
	})
}

func wordBytes(words []uint32) []byte {
	var b []byte
	for _, w := range words {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return b
}

func words(b []byte) []uint32 {
	var words []uint32
	for ; len(b) >= 4; b = b[4:] {
		words = append(words, binary.LittleEndian.Uint32(b))
	}
	return words
}

// owner returns a text for messages that says who has the devices: this process, or the job.
func owner() string {
	if n := NumProcesses(); n > 1 {
		return fmt.Sprintf("the job of %d processes", n)
	}
	return "the process"
}

// share returns how many of n devices each process needs: the quotient of n and the number of
// processes, rounded up.
func share(n int) int { return (n + NumProcesses() - 1) / NumProcesses() }

// inEach returns a text for messages that says that a number of devices is for each process; "" if
// there is one process.
func inEach() string {
	if n := NumProcesses(); n > 1 {
		return fmt.Sprintf(", in each of the %d processes", n)
	}
	return ""
}
