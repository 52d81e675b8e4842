package example

// This file runs example programs, and the training steps of programs without package keras.

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/gospmd/gospmd/internal/plainlog"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
)

// interrupted is the exit status of a program that an interrupt (Ctrl-C) has ended, as in shells.
const interrupted = 130

// Main calls run with the program's arguments and exits: with status 1 after an error, which it
// prints, and with 0 after the flag -help. Warnings are lines on standard error. An interrupt
// (Ctrl-C) or a request to end cancels the context, so that run can end in order, and the status is
// 130. A second one ends the process at once. The other processes of a job get the error of this
// one.
func Main(name string, run func(ctx context.Context, args []string, out io.Writer) error) {
	slog.SetDefault(plainlog.New(os.Stderr))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	err := run(ctx, os.Args[1:], os.Stdout)
	if err == nil {
		// tells the other processes of a job, if there are any, that this one is done
		err = distribution.Close()
	} else {
		distribution.Fail(err)
	}
	switch {
	case err == nil || errors.Is(err, flag.ErrHelp):
		return
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		fmt.Fprintf(os.Stderr, "%s: interrupted\n", name)
		os.Exit(interrupted)
	}
	fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
	os.Exit(1)
}

// Mesh returns the mesh for a text such as 2x4: two devices along the axis data, four along model.
// Another number of sizes than two is an error.
func Mesh(text string) (*mesh.DeviceMesh, error) {
	shape, err := mesh.ParseShape(text, 2)
	if err != nil {
		return nil, err
	}
	return mesh.New(shape, []string{"data", "model"}, nil)
}

// Training describes a training for Train: the program is one training step.
type Training struct {
	Steps int
	Every int // number of steps between two printed losses; the first loss is printed too
	Loss  int // index of the result with the loss
	// Values returns all initial values of input i, in a slice.
	Values func(i int, in program.Input) any
}

// Train runs a training step t.Steps times on one batch. A result that reuses the memory of an
// input, such as an updated weight, becomes that input in the next step. It prints losses, which
// are float32, to out, as t says. The end of ctx is an error, at the next step.
func Train(ctx context.Context, client *runtime.Client, p *program.Program, t Training, out io.Writer) error {
	step, err := client.Load(ctx, p)
	if err != nil {
		return err
	}
	defer step.Close()
	args := make([]*runtime.Array, len(p.Inputs))
	for i, in := range p.Inputs {
		// Put shards the values over the devices.
		if args[i], err = client.Put(in.Type, in.Sharding, t.Values(i, in)); err != nil {
			return err
		}
	}
	for n := 1; n <= t.Steps; n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		results, err := step.Run(args...)
		if err != nil {
			return err
		}
		for i, in := range p.Inputs {
			if in.Donated() {
				args[i] = results[in.Alias]
			}
		}
		if n == 1 || n%t.Every == 0 { // waits for the devices only then
			loss, err := runtime.Values[float32](ctx, results[t.Loss])
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "step %d - loss: %.4f\n", n, loss[0])
		}
		results[t.Loss].Release()
	}
	return nil
}
