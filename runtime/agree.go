package runtime

// This file makes processes agree on what they run: they compare each program
// when it is loaded, and each run of it before its first collective, so that a
// difference is an error that names the processes and not a wait without end.

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime/transport"
)

// fingerprint is what must be equal in all processes of a program, in the order
// in which differences are reported.
type fingerprint struct {
	Name    string
	Mesh    string
	Inputs  []string // name, type and sharding
	Outputs []string
	Module  string // a hash
}

func fingerprintOf(p *program.Program) (fingerprint, error) {
	f := fingerprint{Name: p.Name, Mesh: p.Mesh.String()}
	describe := func(info program.TensorInfo) string {
		return fmt.Sprintf("%q %s %s", info.Name, info.Type, info.Sharding)
	}
	for _, in := range p.Inputs {
		f.Inputs = append(f.Inputs, describe(in.TensorInfo))
	}
	for _, out := range p.Outputs {
		f.Outputs = append(f.Outputs, describe(out.TensorInfo))
	}
	var text bytes.Buffer
	if err := ir.Print(&text, p.Module, ir.PrintOptions{}); err != nil {
		return f, fmt.Errorf("BUG: %w", err)
	}
	f.Module = fmt.Sprintf("%x", sha256.Sum256(text.Bytes()))
	return f, nil
}

// differences says what is different in o, in at most one line.
func (f fingerprint) differences(o fingerprint) string {
	rows := []struct{ what, a, b string }{{"the program", f.Name, o.Name}, {"the mesh", f.Mesh, o.Mesh}}
	compareLists := func(what string, a, b []string) {
		rows = append(rows, struct{ what, a, b string }{"the number of " + what + "s", fmt.Sprint(len(a)), fmt.Sprint(len(b))})
		for i := range min(len(a), len(b)) {
			rows = append(rows, struct{ what, a, b string }{what, a[i], b[i]})
		}
	}
	compareLists("input", f.Inputs, o.Inputs)
	compareLists("output", f.Outputs, o.Outputs)
	for _, r := range rows {
		if r.a != r.b {
			return fmt.Sprintf("%s is %s, not %s", r.what, r.b, r.a)
		}
	}
	if f.Module != o.Module {
		return "its ops are others: the model, the layouts or the version of the program differ"
	}
	return ""
}

// meet returns when all ranks have come to the same point in the order of their
// loads, runs and barriers.
func (j *job) meet(ctx context.Context, ranks []int, record string) error {
	met := make(chan error, 1)
	wait := j.announceRun(ranks, record, givenValues{})
	go func() { met <- wait() }()
	select {
	case err := <-met:
		if err != nil {
			err = j.explain(record, err)
		}
		return err
	case <-ctx.Done():
		return fmt.Errorf("runtime: process %d at %s: %w", j.rank, record, ctx.Err())
	}
}

// agree compares p with the programs that the other processes of its mesh load at the same time.
func (j *job) agree(ctx context.Context, p *program.Program, ranks []int) error {
	mine, err := fingerprintOf(p)
	if err != nil {
		return err
	}
	if err := j.meet(ctx, ranks, fmt.Sprintf("load the program %q", p.Name)); err != nil {
		return err
	}
	prints, err := share(ranks, "program", mine, func(value []byte) ([][]byte, error) {
		values, err := j.gather(ctx, "fingerprints", ranks, value)
		if err != nil {
			err = j.explain("comparing the program with the other processes'", err)
		}
		return values, err
	})
	if err != nil {
		return err
	}
	var errs []error
	for i, f := range prints[1:] {
		if d := prints[0].differences(f); d != "" {
			errs = append(errs, fmt.Errorf("process %d loads another program than process %d: %s: run the same program with the same options in all processes", ranks[i+1], ranks[0], d))
		}
	}
	return errors.Join(errs...)
}

// The message that announces a run has a text of recordSize bytes and a fingerprint of the
// values that two processes must give alike.
const (
	recordSize = 128
	textSize   = recordSize - 8
)

// announceRun tells the other ranks which run comes next and what values this process
// gives to it. wait returns when all have said the same.
func (j *job) announceRun(ranks []int, record string, given givenValues) (wait func() error) {
	tag := j.tag("runs", ranks)
	type answer struct {
		rank int
		err  error
	}
	answers := make(chan answer, len(ranks))
	waiting := slices.DeleteFunc(slices.Clone(ranks), func(rank int) bool { return rank == j.rank })
	for _, rank := range waiting {
		go func() { answers <- answer{rank, j.compareRun(rank, tag, record, given)} }()
	}
	return func() error {
		ticker := time.NewTicker(waitNotice)
		defer ticker.Stop()
		start := time.Now()
		for len(waiting) > 0 {
			select {
			case a := <-answers:
				if a.err != nil {
					return a.err
				}
				waiting = slices.DeleteFunc(waiting, func(rank int) bool { return rank == a.rank })
			case <-ticker.C:
				waited := time.Since(start).Round(time.Second)
				if waited >= waitLimit {
					return fmt.Errorf("process %v did not come to %s in %s: all processes must run the same programs, equally often", waiting, record, waited)
				}
				warn(nil, fmt.Sprintf("gospmd: process %d has waited %s for process %v to come to %s", j.rank, waited, waiting, record))
			}
		}
		return nil
	}
}

// compareRun compares the announcement of a run with another process'.
func (j *job) compareRun(rank int, tag uint64, record string, given givenValues) error {
	mine, theirs := make([]byte, recordSize), make([]byte, recordSize)
	copy(mine[:textSize], record)
	binary.LittleEndian.PutUint64(mine[textSize:], given.sum(rank))
	if err := j.exchangeWith(rank, tag, mine, theirs); err != nil {
		return err
	}
	switch {
	case !bytes.Equal(mine[:textSize], theirs[:textSize]):
		return fmt.Errorf("process %d comes to %s, process %d to %s: all processes must run the same programs in the same order",
			rank, bytes.TrimRight(theirs[:textSize], "\x00"), j.rank, record)
	case bytes.Equal(mine, theirs):
		return nil
	}
	mine = given.fingerprintsWith(rank)
	theirs = make([]byte, len(mine))
	if err := j.exchangeWith(rank, tagOf("values", tag), mine, theirs); err != nil {
		return err
	}
	return given.difference(j.rank, rank, mine, theirs)
}

// exchangeWith sends a message to another process and receives one of the same length.
func (j *job) exchangeWith(rank int, tag uint64, mine, theirs []byte) error {
	return j.host.Exchange(context.Background(), tag, []transport.Message{{Rank: rank, Data: mine}}, []transport.Message{{Rank: rank, Data: theirs}})
}

// runAndReport does what all ranks do together, and says from time to time that it waits
// for them. It ends when they did not come within waitLimit.
func (j *job) runAndReport(ctx context.Context, what string, do func(context.Context) error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, waitLimit, fmt.Errorf("the others did not come to it in %s: all processes must do so, equally often", waitLimit))
	defer cancel()
	done, start := make(chan struct{}), time.Now()
	defer close(done)
	go func() {
		ticker := time.NewTicker(waitNotice)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				warn(nil, fmt.Sprintf("gospmd: process %d has waited %s for others to come to %s", j.rank, time.Since(start).Round(time.Second), what))
			case <-done:
				return
			}
		}
	}()
	err := do(ctx)
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

const (
	waitNotice = 30 * time.Second // after which a process says whom it waits for
	waitLimit  = 30 * time.Minute // after which it gives up: others may save a checkpoint meanwhile
)

// explain returns the error of an operation that other processes take part in.
func (j *job) explain(what string, err error) error {
	return fmt.Errorf("%s, in process %d: %w", what, j.rank, j.cause(err))
}

// cause returns the loss of a process that led to err, if there is one. Such a
// process breaks connections before its loss is reported, and others that end for it
// break more: what names the first one is worth the time until its lease ends.
func (j *job) cause(err error) error {
	select {
	case <-j.service.Failed():
		return j.service.Err()
	case <-time.After(j.lease + causeMargin):
		return err
	}
}

// causeMargin is how long after its end a lease is known to have ended.
const causeMargin = time.Second
