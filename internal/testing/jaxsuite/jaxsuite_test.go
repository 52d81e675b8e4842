package jaxsuite_test

// This file runs the programs on both engines, on one device and on meshes, and compares the
// results with JAX's.

import (
	"context"
	"flag"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/internal/testing/jaxsuite"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/runtime"
)

func init() { runtimetest.CompileQuickly() }

var only = flag.String("only", "", "a part of the names of the programs to run")

// refused lists the programs that an engine cannot run, with a part of the error that says why. If
// such a program runs, the test fails: the list is wrong then.
var refused = map[struct{ engine, program string }]string{}

// TestAgainstJAX runs the programs of the suite, in the short form every twentieth, with each
// engine on one device and on meshes. The results must be JAX's within the program's tolerance. A
// program that an engine is known to refuse must be refused.
func TestAgainstJAX(t *testing.T) {
	programs, err := jaxsuite.Read()
	require.NoError(t, err)
	if *only == "" {
		require.GreaterOrEqual(t, len(programs), 500)
	}
	places := []place{{"single", nil}, {"8", newMesh(t, 8)}, {"2x4", newMesh(t, 2, 4)}, {"3x2", newMesh(t, 3, 2)}}
	for _, engine := range []string{runtime.EngineGo, runtime.EnginePJRT} {
		t.Run(engine, func(t *testing.T) {
			if engine == runtime.EnginePJRT {
				needs.Cgo(t, runtime.HasPJRT)
				runtimetest.Need(t, 8)
			}
			client := runtimetest.OpenWith(t, runtime.Options{Devices: 8, Engine: engine})
			ran := 0
			for i, p := range programs {
				if *only == "" && i%longtest.Pick(20, 4) != 0 || !strings.Contains(p.Name, *only) {
					continue
				}
				checkOn(t, client, engine, p, places)
				ran++
			}
			t.Logf("%d programs, on one device and on %d meshes", ran, len(places)-1)
		})
	}
}

// place is where a program runs: on a mesh, or on one device if mesh is nil.
type place struct {
	name string
	mesh *mesh.DeviceMesh
}

// checkOn runs a program of the suite on all places, and fails the test if it differs from JAX
// there. If the engine is known to refuse the program, it must do so.
func checkOn(t *testing.T, client *runtime.Client, engine string, p jaxsuite.Program, places []place) {
	want := refused[struct{ engine, program string }{engine, p.Name}]
	for k, at := range places {
		switch err := check(client, p, at.mesh, uint64(k)); {
		case err == nil && want != "":
			t.Errorf("%s on %s runs now: take it off the list", p.Name, at.name)
		case err != nil && (want == "" || !strings.Contains(err.Error(), want)):
			t.Errorf("%s on %s: %v", p.Name, at.name, err)
		}
	}
}

func newMesh(t *testing.T, sizes ...int) *mesh.DeviceMesh {
	m, err := mesh.New(sizes, []string{"x", "y"}[:len(sizes)], nil)
	require.NoError(t, err)
	return m
}

// check runs a program of the suite on the mesh on, with random layouts that depend on seed, or on
// one device if on is nil. It returns an error if its results differ from JAX's.
func check(client *runtime.Client, p jaxsuite.Program, on *mesh.DeviceMesh, seed uint64) error {
	m, err := p.Module(on, rand.New(rand.NewPCG(uint64(crc32.ChecksumIEEE([]byte(p.Name))), seed)))
	if err != nil {
		return err
	}
	compiled, err := compile.Compile(context.Background(), m, compile.Options{})
	if err != nil {
		return err
	}
	ctx := context.Background()
	exe, err := client.Load(ctx, compiled)
	if err != nil {
		return err
	}
	defer exe.Close()
	args := make([]*runtime.Array, len(p.Inputs))
	for i, in := range p.Inputs {
		info := compiled.Inputs[i]
		flat, err := in.Flat(info.Type)
		if err != nil {
			return err
		}
		if args[i], err = client.Put(info.Type, info.Sharding, flat); err != nil {
			return err
		}
		defer args[i].Release()
	}
	results, err := exe.Run(args...)
	if err != nil {
		return err
	}
	for i, r := range results {
		got, err := r.Get(ctx)
		r.Release()
		if err != nil {
			return err
		}
		info := compiled.Outputs[i]
		want, err := p.Results[i].Flat(info.Type)
		if err != nil {
			return err
		}
		if err := p.Differ(info.Type, want, got); err != nil {
			return fmt.Errorf("result %d: %w", i, err)
		}
	}
	return nil
}
