package main

// This file compiles programs for virtual devices of this machine's CPU, and runs them in turns.

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/runtime/aot"
)

// parseTarget reads the name of a target: that of devices that need not exist, or cpu:N, which are
// N virtual devices of this machine's CPU.
func parseTarget(name string) (hardware.Target, error) {
	count, ok := strings.CutPrefix(name, hardware.CPU+":")
	if n, err := strconv.Atoi(count); ok && err == nil && n > 0 {
		return hardware.Target{Chip: &hardware.Chip{Name: hardware.CPU, Platform: hardware.CPU}, Shape: []int{n}}, nil
	}
	return hardware.ParseTarget(name)
}

// onHost reports whether t consists of virtual devices of this machine's CPU (cpu:N).
func onHost(t hardware.Target) bool { return t.Chip.Platform == hardware.CPU }

// host compiles programs for virtual devices. It keeps what it has compiled, to run it.
type host struct {
	client *runtime.Client
	loaded map[*program.Program]*runtime.Executable
}

func openHost(ctx context.Context, t hardware.Target) (*host, error) {
	client, err := runtime.Open(ctx, runtime.Options{Platform: hardware.CPU, Devices: t.Devices()})
	return &host{client, map[*program.Program]*runtime.Executable{}}, err
}

// compile compiles p for the CPUs of this computer, keeps its executable in h.loaded, for times,
// and returns its memory. XLA's figures of the memory leave constants out, and ours count them, so
// the peak has the constants that we count.
func (h *host) compile(ctx context.Context, p *program.Program, t hardware.Target) (*aot.Executable, error) {
	exe, err := h.client.Load(ctx, p)
	if err != nil {
		return nil, err
	}
	h.loaded[p] = exe
	m, err := exe.Memory()
	if err != nil {
		return nil, err
	}
	return &aot.Executable{Target: t, Name: p.Name, Memory: aot.Memory{
		Arguments: m.Inputs, Outputs: m.Outputs, Aliases: m.Aliases, Temporary: m.Temporary,
		Peak: m.Required() + report.New(p).Memory.Constants,
	}}, nil
}

// rounds is how often each program runs in turn.
const rounds = 5

// times runs the programs of list in turns, and returns for each, in the order of list, the median
// of the seconds of a run. Each runs once before that, unmeasured. The arguments are random.
func (h *host) times(ctx context.Context, list []*program.Program) ([]float64, error) {
	all := make([][]float64, len(list))
	args := make([][]*runtime.Array, len(list))
	for i, p := range list {
		var err error
		if args[i], err = h.arguments(p); err != nil {
			return nil, err
		}
	}
	for round := range rounds + 1 {
		for i, p := range list {
			start := time.Now()
			results, err := h.loaded[p].Run(args[i]...)
			if err != nil {
				return nil, err
			}
			for _, r := range results {
				if err := r.Wait(ctx); err != nil {
					return nil, err
				}
			}
			if round > 0 {
				all[i] = append(all[i], time.Since(start).Seconds())
			}
			takeOver(p, args[i], results)
		}
	}
	medians := make([]float64, len(list))
	for i, seconds := range all {
		slices.Sort(seconds)
		medians[i] = seconds[rounds/2]
		for _, a := range args[i] {
			a.Release()
		}
	}
	return medians, nil
}

// takeOver makes the results that took over the memory of arguments the arguments of the next run,
// in args, and releases the other results.
func takeOver(p *program.Program, args, results []*runtime.Array) {
	for i, in := range p.Inputs {
		if in.Alias >= 0 {
			args[i], results[in.Alias] = results[in.Alias], nil
		}
	}
	for _, r := range results {
		if r != nil {
			r.Release()
		}
	}
}

// arguments puts arguments for all inputs of p on the devices: small random floats from a fixed
// seed, and whole numbers below 8, which are indices.
func (h *host) arguments(p *program.Program) (list []*runtime.Array, err error) {
	rng := rand.New(rand.NewPCG(11, 3))
	for _, in := range p.Inputs {
		flat := dtypes.MakeAnySlice(in.Type.DType, in.Type.Size())
		v := reflect.ValueOf(flat)
		for i := range v.Len() {
			switch e := v.Index(i); {
			case e.CanFloat():
				e.SetFloat(rng.Float64() * 0.1)
			case e.CanInt():
				e.SetInt(rng.Int64N(8))
			case e.CanUint() && !strings.Contains(in.Type.DType.String(), "Float"):
				e.SetUint(rng.Uint64N(8))
			}
		}
		a, err := h.client.Put(in.Type, in.Sharding, flat)
		if err != nil {
			return nil, err
		}
		list = append(list, a)
	}
	return list, nil
}

// close unloads all programs, and ends the client. It returns all errors together.
func (h *host) close() error {
	var errs []error
	for _, exe := range h.loaded {
		errs = append(errs, exe.Close())
	}
	return errors.Join(append(errs, h.client.Close())...)
}
