package main

// This file measures our front end on transformers with several numbers of layers, on meshes with
// several numbers of devices. It needs no device and no peer.

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/benchmarks/internal/worker"
	"github.com/gospmd/gospmd/benchmarks/steps"
	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/distribution"
	lowering "github.com/gospmd/gospmd/target"
)

var (
	scaleLayers = []int{1, 2, 4, 8, 16, 32}
	scaleMeshes = [][]int{{2, 4}, {16, 4}, {128, 4}, {1024, 4}}
)

// fewest is the number of devices that larger meshes are compared with.
const fewest = "8 devices"

func layersText(n int) string {
	if n == 1 {
		return "1 layer"
	}
	return fmt.Sprintf("%d layers", n)
}

// measureScale measures the front end, from the model to the text for XLA, for transformers of
// several depths on several meshes, in turns. It adds each time to b's results, beside that of the
// smallest mesh. No program runs. After longRounds no further round of a depth begins. Any failure
// is an error. It makes the devices of package distribution.
func measureScale(ctx context.Context, b *bench) error {
	last := scaleMeshes[len(scaleMeshes)-1]
	// no program runs on the devices
	if err := distribution.Initialize(ctx, distribution.Options{Platform: hardware.CPU, Devices: last[0] * last[1]}); err != nil {
		return err
	}
	for _, n := range scaleLayers {
		b.progress.next(fmt.Sprintf("scale: %s", layersText(n)))
		s := steps.UsualTransformer
		s.Blocks, s.Batch = n, last[0]
		m := s.Model("transformer")
		began := time.Now()
		for round := 0; round < b.rounds && (round == 0 || time.Since(began) < longRounds); round++ {
			first := 0.0
			for i, shape := range scaleMeshes {
				wall, cpu, err := timeFrontEnd(m, shape)
				if err != nil {
					return fmt.Errorf("scale: %s on %s: %w", layersText(n), steps.MeshText(shape), err)
				}
				if i == 0 {
					first = wall
				}
				k := key{"scale", m.Name, steps.MeshText(shape), us, layersText(n)}
				b.results.add(k, wall)
				k.Worker = fewest
				b.results.add(k, first)
				k.Worker, k.Quantity = us, layersText(n)+", CPU"
				b.results.add(k, cpu)
				if err := context.Cause(ctx); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// timeFrontEnd records and partitions m's training step for a mesh of the given shape, and writes
// the text that XLA compiles. It returns the wall and CPU seconds that this takes, without building
// the model.
func timeFrontEnd(m steps.Model, shape []int) (wall, cpu float64, err error) {
	dist, err := m.ModelParallel(shape)
	if err != nil {
		return 0, 0, err
	}
	err = distribution.Scope(dist, func() error {
		km, err := m.Build(compile.Options{})
		if err != nil {
			return err
		}
		x, y, err := m.Data(1)
		if err != nil {
			return err
		}
		runtime.GC() // collects the garbage of earlier work
		clock := worker.StartClock()
		recorded, err := km.Lower(data.Batch{X: []*tensors.Tensor{x}, Y: []*tensors.Tensor{y}})
		if err != nil {
			return err
		}
		p, err := compile.Compile(context.Background(), recorded, compile.Options{})
		if err != nil {
			return err
		}
		lowering.CPU.Text(p)
		wall, cpu = clock.Part()
		return nil
	})
	return wall, cpu, err
}

// scaleComparisons returns the comparisons of each number of layers with the fewest.
func scaleComparisons() (out []comparison) {
	for _, n := range scaleLayers {
		out = append(out, comparison{"scale", layersText(n), us, []string{fewest}})
	}
	return out
}

func scaleQuantities() (out []string) {
	for _, c := range scaleComparisons() {
		out = append(out, c.quantity)
	}
	return slices.Clip(out)
}
