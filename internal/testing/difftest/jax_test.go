package difftest_test

// This file runs programs of JAX on random meshes with random layouts, and compares the results
// with JAX's on one device.

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/internal/testing/jaxsuite"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/randprog"
)

// tryJAX returns a function that takes a program of JAX's suite, gives it a random mesh and random
// layouts that depend on seed, runs it, and compares its results with JAX's. Consecutive seeds take
// consecutive programs.
func tryJAX(t *testing.T, h *harness) func(seed uint64) (*randprog.Program, error) {
	programs, err := jaxsuite.Read()
	if *suite != "" {
		file, openErr := os.Open(*suite)
		require.NoError(t, openErr)
		defer file.Close()
		programs, err = jaxsuite.ReadFrom(file)
	}
	require.NoError(t, err)
	require.NotEmpty(t, programs)
	return func(seed uint64) (*randprog.Program, error) {
		j := programs[seed%uint64(len(programs))]
		m, err := j.Module(nil, nil)
		require.NoError(t, err)
		p := randprog.Place(m, seed, randprog.Options{})
		if err := h.checkJAX(p, j); err != nil {
			return p, fmt.Errorf("%s: %w", j.Name, err)
		}
		return p, nil
	}
}

// checkJAX compiles and runs p, which is JAX's program j with a mesh and layouts, and returns an
// error if its results differ from JAX's.
func (h *harness) checkJAX(p *randprog.Program, j jaxsuite.Program) error {
	many, err := compile.Compile(context.Background(), p.Module, compile.Options{Partitioner: h.partitioner})
	if err != nil {
		return err
	}
	inputs := make([]any, len(j.Inputs))
	for i, in := range j.Inputs {
		if inputs[i], err = in.Flat(many.Inputs[i].Type); err != nil {
			return err
		}
	}
	got, err := h.run(many, inputs)
	if err != nil {
		return err
	}
	for i, g := range got {
		out := many.Outputs[i].Type
		want, err := j.Results[i].Flat(out)
		if err != nil {
			return err
		}
		if err := j.Differ(out, want, g); err != nil {
			return fmt.Errorf("result %d: %w\n%s", i, err, many.Module)
		}
	}
	return nil
}

// TestSampleFromJAX runs 8 of JAX's programs, 160 in the long form, with random layouts, on both
// engines. The results must be those that JAX computed.
func TestSampleFromJAX(t *testing.T) {
	onEngines(t, func(t *testing.T, h *harness) {
		try := tryJAX(t, h)
		for seed := range longtest.Pick[uint64](8, 80) {
			p, err := try(97 * seed)
			require.NoError(t, err, "seed %d\n%s", 97*seed, p.Module)
		}
	})
}
