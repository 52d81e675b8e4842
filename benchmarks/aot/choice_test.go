package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/sharding"
)

// A program compiled for a target is never predicted to be slower there than the program compiled
// for the default machine. The short form has half of the steps.
func TestChoice(t *testing.T) {
	for i, name := range stepNames {
		if i%4 >= 2 && !longtest.Enabled() {
			continue
		}
		for _, target := range targetsOf(i) {
			on, err := hardware.ParseTarget(target)
			require.NoError(t, err)
			chosen := compiled(t, name, on, compile.SPMD)
			m, err := readStep(name, false)
			require.NoError(t, err)
			require.NoError(t, sharding.Remesh(m, chosen.Mesh))
			other, err := compile.Compile(t.Context(), m, compile.Options{Platform: on.Chip.Platform})
			require.NoError(t, err)
			machine, err := cost.MachineFor(on, chosen.Mesh)
			require.NoError(t, err)
			seconds := func(p *program.Program) float64 { return machine.Predict(p.Mesh, p.Module.Main()).Seconds }
			require.LessOrEqual(t, seconds(chosen), seconds(other), "%s on %s", name, target)
		}
	}
}

// The target's program is not slower there either where its figures ask for fewer saved values than
// is good: lstm on v6e:4x4 took 1.01 of the time of the default machine's program.
func TestChoiceOfStacks(t *testing.T) {
	on, err := hardware.ParseTarget("v6e:4x4")
	require.NoError(t, err)
	dm := mesh.MustParse("data=16,model=1")
	machine, err := cost.MachineFor(on, dm)
	require.NoError(t, err)
	seconds := func(machineOf *cost.Machine) float64 {
		m, err := readStep("lstm", false)
		require.NoError(t, err)
		require.NoError(t, sharding.Remesh(m, dm))
		p, err := compile.Compile(t.Context(), m, compile.Options{Platform: on.Chip.Platform, Machine: machineOf})
		require.NoError(t, err)
		return machine.Seconds(p.Mesh, p.Module.Main())
	}
	require.LessOrEqual(t, seconds(machine), seconds(nil))
}
