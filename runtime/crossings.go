package runtime

// This file runs the collectives of a program that cross processes, for both
// engines.

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime/collective"
)

// processDriver is a Driver whose programs may span processes.
type processDriver interface {
	// loadAcross loads a program that spans processes. The driver adds each collective that crosses
	// processes to x (crossings.add), and runs it by crossings.run.
	loadAcross(p *program.Program, x *crossings) (DriverProgram, error)
}

// crossings holds the collectives of one loaded program that cross processes.
type crossings struct {
	job     *job
	at      *program.Placement
	number  int           // the number of the program, the same in all processes
	timeout time.Duration // how long other processes may take to come to a collective; 0 means forever
	list    []crossing

	current atomic.Pointer[ir.Op] // the collective that runs or has failed: one at a time, because they run in one order
}

// crossing is one collective of crossings.
type crossing struct {
	op   *ir.Op
	what *collective.Op
	runs *atomic.Uint64
}

// add adds the collective op, on mesh m. summed says that the operands of an all-reduce are already
// combined within each process. All processes add the same collectives in the same order; the index
// in c.list is the collective's channel. An op that is no collective between the positions of m is
// an error.
func (c *crossings) add(op *ir.Op, m *mesh.DeviceMesh, summed bool) error {
	what, err := collective.Of(op, m)
	if err != nil {
		return fmt.Errorf("%s across processes: %w", op.FullName(), err)
	}
	what.Summed = summed
	c.list = append(c.list, crossing{op, what, new(atomic.Uint64)})
	return nil
}

// run executes the collective on a channel, as collective.Op.Run does. The runs of one channel come
// in the same order in all processes. It is an error if other processes do not come to the
// collective within c.timeout.
func (c *crossings) run(channel int, in, out [][]collective.Tensor) error {
	x := c.list[channel]
	c.current.Store(x.op)
	ctx := context.Background()
	if c.timeout > 0 {
		limit, cancel := context.WithTimeoutCause(ctx, c.timeout, fmt.Errorf("other processes have not come to it for %s", c.timeout))
		defer cancel()
		ctx = limit
	}
	err := x.what.Run(ctx, c.job.device, tagOf(c.number, channel, x.runs.Add(1)), c.at, in, out)
	if err == nil {
		c.current.Store(nil)
	}
	return err
}

// place names the collective that runs or has failed in this process. It is empty if there is none.
func (c *crossings) place() string {
	if op := c.current.Load(); op != nil {
		return op.Place()
	}
	return ""
}

// start names the first collective of the program, for the error of a run that has not started. It
// is empty if there is none.
func (c *crossings) start() string {
	if len(c.list) == 0 {
		return ""
	}
	return "before its first collective, " + c.list[0].op.Place()
}
