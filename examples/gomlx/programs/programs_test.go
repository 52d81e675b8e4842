//go:build cgo

package programs_test

// This file trains the programs on meshes, and on GoMLX's own backend for XLA.

import (
	"fmt"
	"iter"
	"math"
	"path/filepath"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/go-xla/compute/xla"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/model/checkpoint"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/examples/gomlx/programs"
	"github.com/gospmd/gospmd/gomlxbackend"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/runtime/plugin"
)

// goXLA returns GoMLX's own backend for XLA, on one device, with the plugin that ours uses. Without
// a plugin the test is skipped; the backend is closed when the test ends.
func goXLA(t *testing.T) compute.Backend {
	file, err := plugin.Find(t.Context(), plugin.Options{Platform: "cpu"})
	if err != nil {
		needs.Plugin(t, "cpu", err)
	}
	b, err := xla.New(file)
	require.NoError(t, err)
	t.Cleanup(b.Finalize)
	return b
}

func open(t *testing.T, p programs.Program, mesh string) *gomlxbackend.Backend {
	b, err := gomlxbackend.New(fmt.Sprintf("mesh=%s,layouts=%s", mesh, filepath.Join("..", p.Name, "layouts.txt")))
	require.NoError(t, err)
	t.Cleanup(b.Finalize)
	return b
}

func smallStore(t *testing.T, p programs.Program) *model.Store {
	store, err := p.SmallStore()
	require.NoError(t, err)
	return store
}

// counted is a dataset that keeps, in tensors, how many inputs and labels the batch has that it
// returned last.
type counted struct {
	train.Dataset
	tensors int
}

func (c *counted) Iter() iter.Seq2[train.Batch, error] {
	return func(yield func(train.Batch, error) bool) {
		for batch, err := range c.Dataset.Iter() {
			c.tensors = len(batch.Inputs) + len(batch.Labels)
			if !yield(batch, err) {
				return
			}
		}
	}
}

// losses trains program p on backend b for some steps, and returns the loss of each step. After
// each step it calls each, if it is not nil, with the numbers of tensors in the batch and of
// metrics.
func losses(t *testing.T, b compute.Backend, p programs.Program, store *model.Store, steps int, each func(batch, metrics int)) (out []float64) {
	ds, err := p.Dataset(b, store)
	require.NoError(t, err)
	batches := &counted{Dataset: ds}
	loop := p.NewLoop(b, store)
	loop.OnStep("losses", 0, func(_ *train.Loop, metrics []*tensors.Tensor) error {
		out = append(out, shapes.ConvertTo[float64](metrics[0].Value()))
		if each != nil {
			each(batches.tensors, len(metrics))
		}
		return nil
	})
	_, err = loop.RunSteps(batches, steps)
	require.NoError(t, err)
	return out
}

func requireClose(t *testing.T, want, got []float64) {
	require.Len(t, got, len(want))
	for i := range want {
		require.InDelta(t, want[i], got[i], 1e-5*math.Max(1, math.Abs(want[i])), "step %d", i)
	}
}

// warm is the number of steps after which all variables are on the devices with their final
// shardings, so that steps put only batches there.
const warm = 2

// TestLosses requires that each program has the losses of GoMLX's own backend on each mesh, that a
// step puts only its batch on the devices and fetches only the results that the loop reads, and
// that variables stay on the devices. The short form leaves out cifar, diffusion and adult, which
// TestJob trains.
func TestLosses(t *testing.T) {
	for _, p := range programs.All {
		compared, longest := longtest.Pick(5, 20), longtest.Pick(5, warm+40)
		if p.Name == "cifar" { // XLA's quick code for convolutions in float64 takes a second for a step
			compared, longest = longtest.Pick(5, 6), longtest.Pick(5, warm+6)
		}
		t.Run(p.Name, func(t *testing.T) {
			if p.Name == "cifar" || p.Name == "diffusion" {
				longtest.Only(t, "package gomlxbackend trains convolutions")
			}
			if p.Name == "adult" {
				longtest.Only(t, "TestJob and TestCheckpoints train it")
			}
			want := losses(t, goXLA(t), p, smallStore(t, p), compared, nil)
			for _, mesh := range longtest.Pick([]string{"2x4"}, []string{"2x4", "3x2"}) {
				t.Run(mesh, func(t *testing.T) {
					b, done, steps := open(t, p, mesh), 0, compared
					if mesh == "2x4" {
						steps = longest
					}
					var before, most gomlxbackend.Transfers
					got := losses(t, b, p, smallStore(t, p), steps, func(batch, metrics int) {
						switch done++; {
						case done == warm:
							before, most = b.Transfers(), b.Transfers()
						case done > warm:
							most.Put += batch
							most.Fetched += metrics + 1 // the loop reads the loss, and so does the test
						}
					})
					requireClose(t, want, got[:compared])
					after := b.Transfers()
					require.LessOrEqual(t, after.Put, most.Put, "tensors to the devices: %d before", before.Put)
					require.LessOrEqual(t, after.Fetched, most.Fetched, "tensors from the devices: %d before", before.Fetched)
					require.Equal(t, before.Moved, after.Moved, "moves on the devices")
				})
			}
		})
	}
}

// TestCheckpoints writes a checkpoint of GoMLX's on one mesh, and continues from it on another. The
// losses must be those of GoMLX's own backend that continues from it. The short form tests the
// first program.
func TestCheckpoints(t *testing.T) {
	all := longtest.Pick(programs.All[:1], programs.All)
	for _, p := range all {
		t.Run(p.Name, func(t *testing.T) {
			dir := t.TempDir()
			resume := func(b compute.Backend, save bool) []float64 {
				store := smallStore(t, p)
				saved, err := checkpoint.Build(store).Dir(dir).Keep(1).Done()
				require.NoError(t, err)
				out := losses(t, b, p, store, 3, nil)
				if save {
					require.NoError(t, saved.Save())
				}
				return out
			}
			first := resume(open(t, p, "2x4"), true)
			want := resume(goXLA(t), false)
			require.NotEqual(t, first, want, "it goes on from what was saved")
			requireClose(t, want, resume(open(t, p, "3x2"), false))
		})
	}
}
