//go:build cgo

package pjrtkv_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/gomlx/go-xla/pjrt"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/jobtest"
	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/runtime/coordination"
	"github.com/gospmd/gospmd/runtime/pjrtapi"
	"github.com/gospmd/gospmd/runtime/pjrtkv"
)

// compile runs the C compiler with args, for a file of testdata, and go-xla's PJRT header in its
// path. It fails the test if the compiler does.
func compile(t *testing.T, args ...string) {
	t.Helper()
	header := needs.PJRTHeader(t)
	out, err := exec.Command("cc", append([]string{"-I", header}, args...)...).CombinedOutput()
	require.NoError(t, err, "%s", out)
}

func TestLayout(t *testing.T) {
	compile(t, "-fsyntax-only", filepath.Join("testdata", "layout.c"))
}

// fakePlugin returns the path for the plugin that is compiled from testdata, the same in all calls:
// a process can load one plugin only.
var fakePlugin = sync.OnceValue(func() string {
	dir, err := os.MkdirTemp("", "pjrtkv")
	if err != nil {
		panic(err)
	}
	return filepath.Join(dir, "fake.so")
})

func TestMain(m *testing.M) {
	if path := os.Getenv(cudaChild); path != "" {
		tryCUDA(path, os.Getenv(cudaOption))
		return
	}
	if path := os.Getenv(cpuChild); path != "" {
		if err := tryCPU(path); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		return
	}
	code := m.Run()
	os.RemoveAll(filepath.Dir(fakePlugin()))
	os.Exit(code)
}

// create makes a client of the fake plugin of testdata for process rank of size. The plugin refuses
// it with a message, which create returns.
func create(t *testing.T, s pjrtkv.Store, rank, size int) string {
	t.Helper()
	if _, err := os.Stat(fakePlugin()); err != nil {
		compile(t, "-shared", "-fPIC", "-o", fakePlugin(), filepath.Join("testdata", "fake.c"))
	}
	p, err := pjrtapi.Load(fakePlugin())
	require.NoError(t, err)
	_, err = pjrtkv.NewClient(p, pjrt.NamedValuesMap{"of_platform": int64(7)}, s, rank, size)
	require.Error(t, err)
	return err.Error()
}

// Two processes see each other's values through the store of their job, also zero bytes in values.
// The error for a key that no process sets is the one that XLA expects.
func TestCallbacks(t *testing.T) {
	address := jobtest.FreeAddress(t)
	services := make([]*coordination.Service, 2)
	var joining sync.WaitGroup
	for id := range services {
		joining.Go(func() {
			var err error
			services[id], err = coordination.Join(context.Background(), coordination.Options{Address: address, NumProcesses: 2, ProcessID: id})
			require.NoError(t, err)
		})
	}
	joining.Wait()
	for id, s := range services {
		text := create(t, s, id, 2)
		for _, want := range []string{
			[]string{"node_id=0\n", "node_id=1\n"}[id], "of_platform=7\n", "num_nodes=2\n", "get=two<0>nodes\n", "try=two<0>nodes\n",
			`try: error 5=no process has set "nobody sets it"` + "\n", `get: error 4=no process has set "nobody sets it" in 50ms: `,
		} {
			require.Contains(t, text, want)
		}
	}
	value, found, err := services[0].Lookup(context.Background(), "pjrt/topology")
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, "two\x00nodes", string(value))

	var leaving sync.WaitGroup
	for _, s := range services {
		leaving.Go(func() { s.Leave(context.Background()) })
	}
	leaving.Wait()
}

// lost is a Store of a failed job: its methods return errLost.
type lost struct{}

func (lost) Set(context.Context, string, []byte) error { return errLost }
func (lost) Get(context.Context, string) ([]byte, error) {
	return nil, errLost
}
func (lost) Lookup(context.Context, string) ([]byte, bool, error) { return nil, false, errLost }

var errLost = errors.New("process 1 is lost")

// XLA puts and gets values by callbacks. If the job has failed, they return the reason.
func TestCallbacksOfFailedJob(t *testing.T) {
	text := create(t, lost{}, 0, 2)
	for _, want := range []string{"put: error 14=process 1 is lost\n", "get: error 14=process 1 is lost\n", "try: error 14=process 1 is lost\n"} {
		require.Contains(t, text, want)
	}
}

func TestNewClientRefuses(t *testing.T) {
	create(t, lost{}, 0, 1)
	p, err := pjrtapi.Load(fakePlugin())
	require.NoError(t, err)
	for _, rank := range []int{-1, 2} {
		_, err = pjrtkv.NewClient(p, nil, lost{}, rank, 2)
		require.EqualError(t, err, fmt.Sprintf("process %d of 2: want a number from 0 to 1", rank))
	}
	_, err = p.NewClient(nil)
	require.ErrorContains(t, err, "no store", "a client of one process has no callbacks")
}
