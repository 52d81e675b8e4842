package keras

// This file runs steps op by op, to look at the values that they compute.

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/runtime"
)

// Value is a value that a step computes on one device, which RunEagerly and Training.Replay give to
// their functions. It is valid until the function that gets it returns.
type Value struct{ runtime.Observed }

// Layer returns the path of the layer that the value is computed for, such as block/dense: in the
// backward pass grad(block/dense), and else what the step does there, such as the name of the
// optimizer.
func (v Value) Layer() string { return v.Op.Loc.Path }

// String returns on one line the place and the name of the op, the device, the type and the first
// eight numbers of the value.
func (v Value) String() string {
	const most = 8
	numbers := v.Numbers()
	var text strings.Builder
	for i, x := range numbers[:min(most, len(numbers))] {
		if i > 0 {
			text.WriteByte(' ')
		}
		fmt.Fprintf(&text, "%.4g", x)
	}
	if len(numbers) > most {
		text.WriteString(" …")
	}
	return fmt.Sprintf("%s: %s on device %d: %s [%s]", v.Op.Loc, v.Op.FullName(), v.Device, v.Type, text.String())
}

// RunEagerly runs the steps of the model op by op on the engine written in Go, to debug:
// run_eagerly=True in Keras. watch, unless it is nil, gets each value of each op on each device,
// one after the other; the Call of a layer itself only writes ops down. Steps are much slower.
//
//	keras.RunEagerly(func(v keras.Value) {
//		if v.Layer() == "dense_1" {
//			fmt.Println(v)
//		}
//	})
//
// The model gets a client of its own on virtual devices, which Model.Client returns and the caller
// closes: compile it so before it has run, or load its weights into one that has not. The option
// Client beside it is an error.
func RunEagerly(watch func(v Value)) CompileOption {
	return CompileOption{compileSetting{Name: "RunEagerly", Set: func(c *compileConfig) error {
		if watch == nil {
			watch = func(Value) {}
		}
		c.watch = watch
		return nil
	}}}
}

// openEagerly opens the client that runs the steps op by op for RunEagerly, with that many devices,
// and sets it in c. Without StepsPerExecution each execution then has one step. It does nothing
// without RunEagerly. RunEagerly together with the option Client is an error.
func (c *compileConfig) openEagerly(devices int) (err error) {
	switch {
	case c.watch == nil:
		return nil
	case c.client != nil:
		return errors.New("got both RunEagerly and Client: RunEagerly opens a client of its own")
	}
	c.perExecution = max(1, c.perExecution) // steps stay apart
	c.client, err = watchedClient(context.Background(), devices, c.watch)
	return err
}

func watchedClient(ctx context.Context, devices int, watch func(Value)) (*runtime.Client, error) {
	return runtime.Open(ctx, runtime.Options{Platform: hardware.CPU, Engine: runtime.EngineGo, Devices: devices,
		Observer: &observer{watch}})
}

// observer passes the values that an engine computes to the function watch.
type observer struct{ watch func(Value) }

// Observe calls the function watch with the value v.
func (o *observer) Observe(v runtime.Observed) { o.watch(Value{v}) }

// StepState holds the values of all variables before a training step, for Training.Replay.
type StepState struct{ values map[*variable.Variable]any }

// StepState copies the variables of the training to the host, for Replay. It waits for the steps
// before.
func (t *Training) StepState(ctx context.Context) (*StepState, error) {
	s := &StepState{values: make(map[*variable.Variable]any)}
	for _, g := range t.model.stateGroups() {
		for _, v := range g.variables {
			flat, err := v.Value(ctx)
			if err != nil {
				return nil, err
			}
			s.values[v] = flat
		}
	}
	return s, nil
}

// Replay computes the last training step once more, from a state that StepState returned before it,
// op by op on the engine written in Go. watch, which must not be nil, gets the values, as with
// RunEagerly. It changes nothing. It is an error if no step has run, if several processes train, if
// the step was run as one of several (StepsPerExecution), or if the step has made variables that
// from lacks.
func (t *Training) Replay(ctx context.Context, from *StepState, watch func(v Value)) (err error) {
	bs := t.lastBatches
	if len(bs) == 0 || t.Job() != nil {
		return errors.New("there is no step to replay: want one that this process has run alone")
	}
	step := t.model.compiled.programs[programKey(trainStep, bs)]
	if step == nil {
		return errors.New("there is no step to replay: it was run as one of several; train with StepsPerExecution(1)")
	}
	devices := 1
	if dm := step.compiled.Mesh; dm != nil {
		devices = dm.Size()
	}
	client, err := watchedClient(ctx, devices, watch)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, client.Close()) }()
	exe, err := client.Load(ctx, step.compiled)
	if err != nil {
		return err
	}
	var args []*runtime.Array
	for i, in := range step.compiled.Inputs {
		var a *runtime.Array
		if i < step.batch {
			a, err = step.put(client, t.model.compiled.feed, i, bs)
		} else {
			v := step.read[i-step.batch]
			flat, ok := from.values[v]
			if !ok {
				return fmt.Errorf("variable %s is not in the state: the first step has made it; take the state after that", v.Path())
			}
			a, err = client.Put(in.Type, in.Sharding, flat)
		}
		if err != nil {
			return err
		}
		args = append(args, a)
	}
	results, err := exe.Run(args...)
	if err != nil {
		return err
	}
	for _, r := range results {
		if _, err := r.Get(ctx); err != nil {
			return err
		}
	}
	return nil
}
