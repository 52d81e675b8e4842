package runtime

// This file makes processes agree on what they run: they compare each program when it is loaded,
// and each run before its first collective. A difference is an error that names the processes.
// Without the comparison they would wait forever.

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

// fingerprint holds what must be equal in all processes that load a program. Differences are
// reported in the order of its fields.
type fingerprint struct {
	Name    string
	Mesh    string
	Inputs  []string // name, type and sharding
	Outputs []string
	Module  string // a hash of the module's text
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

// differences describes the first field in which o differs from f, in at most one line. It returns
// "" if they are equal.
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

// meet announces record, a text that names an operation, to ranks, and returns when all of them
// have announced the same. The loads, runs and barriers of a process have one order: a rank that
// announces another record at this point is an error. So are the end of ctx and the loss of a
// process.
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

// agree waits until all ranks, the processes of p's mesh, load a program, and compares theirs with
// p. It returns an error that names the first difference of each process from the first one. So are
// the loss of a process and the end of ctx.
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

// An announcement of a run has recordSize bytes. The first textSize are a text that names the run,
// cut off or with zeros behind it. The other 8 are a fingerprint of the argument values that must
// be equal in both processes.
const (
	recordSize = 128
	textSize   = recordSize - 8
)

// announceRun tells the other ranks that the run that record names comes next, and what values this
// process gives to it. It does not wait for them. wait returns nil when all have said the same. It
// returns the first disagreement, an error that names processes that did not come in time, or the
// loss of one.
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
		var failure error
		var failed <-chan time.Time
		for len(waiting) > 0 {
			select {
			case a := <-answers:
				waiting = slices.DeleteFunc(waiting, func(rank int) bool { return rank == a.rank })
				switch {
				case a.err == nil:
				case failure == nil:
					// The others are told what this process has before it ends.
					failure, failed = a.err, time.After(j.lease+causeMargin)
				case isDisagreement(a.err) && !isDisagreement(failure):
					failure = a.err
				}
			case <-failed:
				return failure
			case <-j.service.Failed():
				if failure == nil {
					failure = j.service.Err()
				}
				return failure
			case <-ticker.C:
				waited := time.Since(start).Round(time.Second)
				if waited >= waitLimit {
					return fmt.Errorf("process %v did not come to %s in %s: all processes must run the same programs, equally often", waiting, record, waited)
				}
				warn(nil, fmt.Sprintf("gospmd: process %d has waited %s for process %v to come to %s", j.rank, waited, waiting, record))
			}
		}
		return failure
	}
}

// disagreement is an error that two processes find when they compare what they run or have. No lost
// process leads to it.
type disagreement struct{ error }

func isDisagreement(err error) bool { return errors.As(err, &disagreement{}) }

// compareRun sends the announcement of a run, record and given, to process rank under the tag, and
// compares it with the one that it receives. It returns a disagreement if they name different runs
// or different values; that process then finds the same. The loss of the process is an error too.
func (j *job) compareRun(rank int, tag uint64, record string, given givenValues) error {
	mine, theirs := make([]byte, recordSize), make([]byte, recordSize)
	copy(mine[:textSize], record)
	binary.LittleEndian.PutUint64(mine[textSize:], given.sum(rank))
	if err := j.exchangeWith(rank, tag, mine, theirs); err != nil {
		return err
	}
	var err error
	switch {
	case bytes.Equal(mine, theirs):
		return nil
	case bytes.Equal(mine[:textSize], theirs[:textSize]):
		mine = given.fingerprintsWith(rank)
		theirs = make([]byte, len(mine))
		if err := j.exchangeWith(rank, tagOf("values", tag), mine, theirs); err != nil {
			return err
		}
		err = given.difference(j.rank, rank, mine, theirs)
	default:
		err = fmt.Errorf("process %d comes to %s, process %d to %s: all processes must run the same programs in the same order",
			rank, bytes.TrimRight(theirs[:textSize], "\x00"), j.rank, record)
	}
	// Neither ends before both have found it. If this fails, the other process is lost.
	j.exchangeWith(rank, tagOf("seen", tag), make([]byte, 1), make([]byte, 1))
	return disagreement{err}
}

// exchangeWith sends the message mine to the process with that rank, and receives one of the same
// length into theirs.
func (j *job) exchangeWith(rank int, tag uint64, mine, theirs []byte) error {
	return j.host.Exchange(context.Background(), tag, []transport.Message{{Rank: rank, Data: mine}}, []transport.Message{{Rank: rank, Data: theirs}})
}

// runAndReport does what all ranks do together, and says from time to time that it waits for them.
// It ends when they did not come within waitLimit. Then the error says that all must do what,
// equally often.
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
	waitNotice = 30 * time.Second // after this time a process warns which processes it waits for
	waitLimit  = 30 * time.Minute // after this time it gives up. It is long, because others may save a checkpoint meanwhile
)

// explain adds to err the name what of an operation that other processes take part in, and the rank
// of this process. If a lost process has led to err, its loss takes the place of err; explain waits
// for the report of it, as cause does.
func (j *job) explain(what string, err error) error {
	return fmt.Errorf("%s, in process %d: %w", what, j.rank, j.cause(err))
}

// cause returns the loss of the process that led to err, if one is reported in time, or else err.
// The connections of a lost process break before its loss is reported, and survivors that end
// because of it break more connections. To name the process that was lost first, cause waits until
// the lease of a lost process has ended.
func (j *job) cause(err error) error {
	if isDisagreement(err) {
		return err
	}
	select {
	case <-j.service.Failed():
		return j.service.Err()
	case <-time.After(j.lease + causeMargin):
		return err
	}
}

// causeMargin is the time after the end of a lease within which the loss is reported.
const causeMargin = time.Second
