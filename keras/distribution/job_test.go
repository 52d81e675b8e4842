package distribution_test

// This file tests how a process finds its job, and what the processes of a job share. The processes
// are child processes of this test binary.

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/jobtest"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/runtime"
)

// TestInitializeJob gives some options of a job to Initialize, and the others in the environment.
// The number of processes and the number of this one must be those given; options go before the
// environment. If they do not fit together, the error must name them, and no job is joined. Waiting
// for the other processes must end with Initialize's context.
func TestInitializeJob(t *testing.T) {
	for _, tc := range []struct {
		name          string
		options       distribution.Options
		env           map[string]string
		processes, id int
		want          string // error
	}{
		{name: "nothing", processes: 1},
		{name: "two addresses", options: distribution.Options{JobAddresses: "a:1,b:1", ProcessID: 1}, processes: 2, id: 1},
		{name: "with devices", options: distribution.Options{JobAddresses: "a:1,b:1", ProcessID: 1, Devices: 2}, processes: 2, id: 1},
		{name: "a coordinator", options: distribution.Options{Endpoints: "a:1", NumProcesses: 2, ProcessID: 1}, processes: 2, id: 1},
		{name: "a coordinator and no number", options: distribution.Options{Endpoints: "a:1", ProcessID: 1}, want: "Endpoints are a:1, and NumProcesses is not given"},
		{name: "one address", options: distribution.Options{JobAddresses: "a:1", NumProcesses: 3, ProcessID: 2}, processes: 3, id: 2},
		{name: "one address and no number", options: distribution.Options{JobAddresses: "a:1"}, want: "NumProcesses is not given"},
		{name: "no address", options: distribution.Options{NumProcesses: 2}, want: "without JobAddresses"},
		{name: "a number too large", options: distribution.Options{JobAddresses: "a:1,b:1", ProcessID: 2}, want: "got ProcessID 2 of 2 processes, want a number from 0 to 1"},
		{name: "a negative one", options: distribution.Options{JobAddresses: "a:1,b:1", ProcessID: -1}, want: "got ProcessID -1"},
		{name: "the environment", env: map[string]string{"JOB_ADDRESSES": "a:1", "NUM_PROCESSES": "4", "PROCESS_ID": "3"}, processes: 4, id: 3},
		{name: "the environment has the id", options: distribution.Options{JobAddresses: "a:1,b:1"}, env: map[string]string{"PROCESS_ID": "1"}, processes: 2, id: 1},
		{name: "the environment has the address", options: distribution.Options{NumProcesses: 2, ProcessID: 1}, env: map[string]string{"JOB_ADDRESSES": "a:1"}, processes: 2, id: 1},
		{name: "options go before the environment", options: distribution.Options{JobAddresses: "a:1", NumProcesses: 2, ProcessID: 1},
			env: map[string]string{"JOB_ADDRESSES": "b:1", "NUM_PROCESSES": "4", "PROCESS_ID": "3"}, processes: 2, id: 1},
		{name: "no number", options: distribution.Options{JobAddresses: "a:1,b:1"}, env: map[string]string{"PROCESS_ID": "first"}, want: `KERAS_DISTRIBUTION_PROCESS_ID is "first", want a number`},
		{name: "alone in a cluster", options: distribution.Options{NumProcesses: 1}, env: map[string]string{"JOB_ADDRESSES": "a:1", "NUM_PROCESSES": "4", "PROCESS_ID": "3"}, processes: 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Cleanup(func() { require.NoError(t, distribution.Close()) })
			for _, name := range []string{"JOB_ADDRESSES", "NUM_PROCESSES", "PROCESS_ID"} {
				t.Setenv("KERAS_DISTRIBUTION_"+name, tc.env[name])
			}
			ctx, cancel := context.WithCancel(t.Context())
			cancel() // the other processes do not exist
			err := distribution.Initialize(ctx, tc.options)
			switch {
			case tc.want != "":
				require.ErrorContains(t, err, tc.want)
				require.Equal(t, 1, distribution.NumProcesses(), "nothing is set")
				return
			case tc.options.Devices > 0:
				require.ErrorIs(t, err, context.Canceled)
			default:
				require.NoError(t, err)
			}
			if tc.processes > 1 {
				_, err = distribution.Client(context.Background())
				require.ErrorIs(t, err, context.Canceled, "the context of Initialize")
			}
			require.Equal(t, tc.processes, distribution.NumProcesses())
			require.Equal(t, tc.id, distribution.ProcessID())
			require.True(t, distribution.IsInitialized())
		})
	}
}

// If a job cannot be joined, Client and ListDevices return the error of Initialize, and do not try
// again. What needs no devices still works, such as the seeds of layers.
func TestJoinFails(t *testing.T) {
	t.Cleanup(func() { require.NoError(t, distribution.Close()) })
	first := distribution.Initialize(t.Context(), distribution.Options{Devices: 1, JobAddresses: jobtest.FreeAddress(t), NumProcesses: 2, ProcessID: 1, JoinTimeout: 100 * time.Millisecond})
	require.Error(t, first)
	_, err := distribution.Client(t.Context())
	require.Same(t, first, err)
	_, err = distribution.ListDevices()
	require.Same(t, first, err)
	require.Positive(t, random.MakeDefaultSeed(), "layers can be made, but nothing runs")
}

// view holds what a process of a job sees, so that the test can compare the processes: devices,
// meshes, seeds and rows of a tensor.
type view struct {
	Devices, Physical []string
	Mesh, Part        string // a mesh of all devices, and one of some devices
	Seeds             []int
	Shuffle           uint64
	Rows              []float32 // rows of a distributed tensor
}

const viewEnv = "GOSPMD_TEST_VIEW"

func TestMain(m *testing.M) {
	if os.Getenv(viewEnv) == "" {
		runtimetest.OnCPU()
		os.Exit(m.Run())
	}
	v, err := look()
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(v)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func look() (v view, err error) {
	// before the devices are known
	pipeline := data.FromTensorSlices([]float32{1, 2}, nil).Shuffle(data.Full).Batch(1)
	if err := distribution.Initialize(context.Background(), distribution.Options{}); err != nil {
		return v, err
	}
	m, err := distribution.ParseMesh("2x3", "data", "model")
	if err != nil {
		return v, err
	}
	v.Mesh = m.String()
	if m, err = distribution.ParseMesh("2x1", "data", "model"); err != nil {
		return v, err
	}
	v.Part = m.String()
	if v.Devices, err = distribution.ListDevices(); err != nil {
		return v, err
	}
	if v.Physical, err = distribution.ListPhysicalDevices(); err != nil {
		return v, err
	}
	v.Seeds = []int{random.MakeDefaultSeed(), random.MakeDefaultSeed()}
	v.Shuffle = pipeline.Position().Seed
	l, err := distribution.NewTensorLayout([]string{"data"}, m)
	if err != nil {
		return v, err
	}
	ctx, tensor := context.Background(), tensors.FromFlatDataAndDimensions([]float32{1, 2, 3, 4}, 4)
	a, err := distribution.DistributeTensor(ctx, tensor, l)
	if err != nil {
		return v, err
	}
	if _, err := a.Get(ctx); err == nil {
		return v, fmt.Errorf("process %d has all shards", distribution.ProcessID())
	}
	flat, err := a.Gather(ctx)
	if err != nil {
		return v, err
	}
	v.Rows = flat.([]float32)
	return v, distribution.Close()
}

// TestJobView requires that two processes of a job, with three devices each, see the same six
// devices and the same meshes, draw the same seeds, and gather all rows of a distributed tensor. A
// mesh of two devices must have one of each process.
func TestJobView(t *testing.T) {
	address := jobtest.FreeAddress(t)
	views := make([]view, 2)
	errs := make([]error, 2)
	var wait sync.WaitGroup
	for rank := range views {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), viewEnv+"=1", "GOSPMD_ENGINE="+runtime.EngineGo, "KERAS_DISTRIBUTION_JOB_ADDRESSES="+address,
			"KERAS_DISTRIBUTION_NUM_PROCESSES=2", fmt.Sprintf("KERAS_DISTRIBUTION_PROCESS_ID=%d", rank))
		cmd.Stderr = os.Stderr
		wait.Go(func() {
			var out []byte
			if out, errs[rank] = cmd.Output(); errs[rank] == nil {
				errs[rank] = json.Unmarshal(out, &views[rank])
			}
		})
	}
	wait.Wait()
	require.Equal(t, make([]error, 2), errs)
	require.Equal(t, views[0], views[1])
	v := views[0]
	require.Equal(t, []string{"cpu:0", "cpu:1", "cpu:2", "cpu:3", "cpu:4", "cpu:5"}, v.Devices)
	require.Equal(t, []string{"cpu:0", "cpu:1", "cpu:2"}, v.Physical, "those of the process")
	require.Equal(t, "data=2,model=3", v.Mesh)
	require.Equal(t, "data=2,model=1 devices=[0 3]", v.Part, "one of each process")
	require.NotEqual(t, v.Seeds[0], v.Seeds[1])
	require.NotZero(t, v.Shuffle)
	require.Equal(t, []float32{1, 2, 3, 4}, v.Rows)
}
