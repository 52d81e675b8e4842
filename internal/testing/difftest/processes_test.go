package difftest_test

// This file runs random programs on the devices of several processes: clients of
// one job, each with devices of its own.

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/jobtest"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/randprog"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/sharding"
)

// jobDevices is the number of devices of all processes together.
const jobDevices = 9

// openJob makes h run programs on a new job of n processes.
func (h *harness) openJob(t testing.TB, engine string, n int) {
	h.job = jobtest.Open(t, n, (jobDevices+n-1)/n, func(o *runtime.Options) { o.Engine = engine })
}

// spread changes the mesh of p to devices of all processes: the first ones if the seed is odd and
// they include all processes, or else random ones in any order. It does not change a mesh that is
// too small. (Seed 3 on two processes has collectives that XLA took in different orders in the
// processes.)
func (h *harness) spread(p *randprog.Program) error {
	if !h.spans(p.Mesh) {
		return nil
	}
	if all := h.job[0].Devices(); p.Seed%2 == 1 && all[p.Mesh.Size()-1].Process == len(h.job)-1 {
		return nil
	}
	rng := rand.New(rand.NewPCG(p.Seed, 0x10b))
	var devices, others []int
	for _, c := range h.job {
		order := rng.Perm(len(c.LocalDevices()))
		devices = append(devices, c.LocalDevices()[order[0]].ID)
		for _, i := range order[1:] {
			others = append(others, c.LocalDevices()[i].ID)
		}
	}
	rng.Shuffle(len(others), func(i, k int) { others[i], others[k] = others[k], others[i] })
	devices = append(devices, others...)[:p.Mesh.Size()]
	if slices.Sort(devices); rng.IntN(2) == 0 {
		rng.Shuffle(len(devices), func(i, k int) { devices[i], devices[k] = devices[k], devices[i] })
	}
	m, err := mesh.New(p.Mesh.Shape(), p.Mesh.AxisNames(), devices)
	if err != nil {
		return err
	}
	p.Mesh = m
	return sharding.Remesh(p.Module, m)
}

// spans reports whether programs on mesh m run on the job.
func (h *harness) spans(m *mesh.DeviceMesh) bool { return len(h.job) > 0 && m.Size() >= len(h.job) }

// runMany runs p on all processes, or on one if its mesh is in one, and returns the results.
// Processes with different results are an error.
func (h *harness) runMany(p *program.Program, inputs []any) ([]any, error) {
	if !h.spans(p.Mesh) {
		return h.run(p, inputs)
	}
	results := make([][]any, len(h.job))
	if err := jobtest.Together(h.job, func(i int, c *runtime.Client) (err error) {
		results[i], err = runOn(c, p, inputs, (*runtime.Array).Gather)
		return err
	}); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, p.Module)
	}
	for _, r := range results[1:] {
		for k := range r {
			if fmt.Sprint(r[k]) != fmt.Sprint(results[0][k]) {
				return nil, errors.New("processes have different results")
			}
		}
	}
	return results[0], nil
}

// TestSampleAcrossProcesses runs random programs in jobs of 2, 3 and 5 processes on both engines,
// and compares with one device. It starts with the seeds of the other samples.
func TestSampleAcrossProcesses(t *testing.T) {
	engines := []string{runtime.EngineGo}
	if runtime.HasPJRT {
		engines = append(engines, runtime.EnginePJRT)
	}
	for _, engine := range engines {
		t.Run(engine, func(t *testing.T) {
			h := open(t, engine)
			for _, n := range []int{2, 3, 5} {
				h.openJob(t, engine, n)
				for seed := range longtest.Pick[uint64](4, 24) {
					p := randprog.New(seed, randprog.Options{AnyOrder: engine == runtime.EnginePJRT})
					require.NoError(t, h.check(p), "seed %d on %d processes\n%s", seed, n, p.Module)
				}
			}
		})
	}
}
