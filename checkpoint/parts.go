package checkpoint

// This file saves checkpoints by several processes, and opens their parts. A part is a file with
// the shards that one process has written.

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/internal/agree"
	"github.com/gospmd/gospmd/internal/atomicfile"
	"github.com/gospmd/gospmd/internal/brief"
	"github.com/gospmd/gospmd/internal/made"
)

// Job is a group of processes that run the same program and share a file system. *runtime.Client
// implements it.
type Job interface {
	ProcessIndex() int
	ProcessCount() int
	// Exchange returns the values of all processes under one name, by process. It waits for all of
	// them. It is an error if a process is lost. Exchanges of one name must have the same order in
	// all processes.
	Exchange(ctx context.Context, name string, value []byte) ([][]byte, error)
}

// SaveAcross is Save for a job of several processes. All of them must call it with the same name
// and tensors; the checkpoint has the metadata of process 0. Each process except 0 writes its
// shards to a part, a file beside the file name. When these are on the disk, process 0 writes the
// named file. Until then, an older checkpoint of that name stays. If one process fails, all get an
// error.
func SaveAcross(ctx context.Context, job Job, name string, tensors []Tensor, metadata []byte) error {
	if err := made.Context(ctx); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	s := &saving{job: job, name: name, key: "checkpoint", tensors: tensors, metadata: metadata}
	return s.save(ctx, nil)
}

// saving is the state of a SaveAcross.
type saving struct {
	job      Job
	name     string
	key      string // begins the names of exchanges
	tensors  []Tensor
	metadata []byte
	tidy     func() error // called in process 0 when the checkpoint is complete; may be nil

	token string // contained in the names of this saving's parts only
	met   bool   // process 0 has received the descriptions of the parts
}

// save saves the checkpoint. If failed is not nil, it is an error of this process that prevents
// that: save only tells it to the others, and returns it.
func (s *saving) save(ctx context.Context, failed error) error {
	err := s.begin(ctx, failed)
	if err == nil {
		err = s.write(ctx)
	}
	if err != nil {
		return fmt.Errorf("checkpoint: saving %s: %w", s.name, err)
	}
	return nil
}

// write writes this process' file, and waits for the others. Then process 0 calls s.tidy or, if the
// checkpoint is not complete, removes the parts. An error of one process is an error in all. If the
// job fails at the end, only process 0 knows whether the checkpoint is complete. So the others
// remove their parts only if process 0 has reported an error.
func (s *saving) write(ctx context.Context) error {
	rank := s.job.ProcessIndex()
	var err error
	if rank > 0 {
		err = s.writePart(ctx, s.partPath(rank))
	} else if err = s.writeMain(ctx); err != nil {
		for other := 1; other < s.job.ProcessCount(); other++ {
			s.removePart(other)
		}
	} else if s.tidy != nil {
		err = s.tidy()
	}
	_, err = agree.On(ctx, s.job, s.key+" end", nil, err)
	var told *agree.PeerError
	if errors.As(err, &told) && told.Rank == 0 {
		s.removePart(rank)
	}
	return err
}

// removePart removes the part of a process, unless the checkpoint lists it or cannot be read.
// Process 0 has no part. Errors are ignored: the next saving removes parts that are left.
func (s *saving) removePart(rank int) {
	name := s.partPath(rank)
	if t := tableOf(s.name); rank > 0 && t != nil && !t.lists(filepath.Base(name)) {
		os.Remove(name)
	}
}

// lists reports whether the checkpoint lists the file of that name, without its directory, as a
// part.
func (t *table) lists(name string) bool {
	return slices.ContainsFunc(t.Parts, func(p part) bool { return p.Name == name })
}

// tableOf returns the table of a checkpoint. It is empty if there is no such checkpoint, and nil if
// it cannot be read.
func tableOf(name string) *table {
	c := &Checkpoint{}
	defer c.Close()
	t, _, err := c.openFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return &table{}
	}
	return t
}

// begin checks the tensors, and that all processes save to a file of the same name. It sets s.token
// to that of process 0. failed is an earlier error of this process, or nil. An error of one
// process, and names that differ, are errors in all.
func (s *saving) begin(ctx context.Context, failed error) error {
	if failed == nil {
		failed = check(s.tensors)
	}
	var random [6]byte
	rand.Read(random[:]) // never fails
	base := filepath.Base(s.name)
	values, err := agree.On(ctx, s.job, s.key+" begin", []byte(hex.EncodeToString(random[:])+"/"+base), failed)
	if err != nil {
		return err
	}
	for rank, v := range values {
		if _, theirs, _ := strings.Cut(string(v), "/"); theirs != base {
			return fmt.Errorf("process %d saves %s at the same time: want the same step in all processes", rank, theirs)
		}
	}
	s.token, _, _ = strings.Cut(string(values[0]), "/")
	return nil
}

// partPath returns the path of the part of process rank: that of the checkpoint, with the token of
// this save, the rank and the number of processes, as in x.ckpt.0123456789ab-1of3.
func (s *saving) partPath(rank int) string {
	return fmt.Sprintf("%s.%s-%dof%d", s.name, s.token, rank, s.job.ProcessCount())
}

// writePart writes the part of a process other than 0 to the file name, and sends its description
// to process 0, or its error to all. It returns the error of any process.
func (s *saving) writePart(ctx context.Context, name string) error {
	var p part
	err := atomicfile.Write(name, func(f *os.File) error {
		w := newWriter(f)
		t, err := w.tensors(ctx, s.tensors)
		if err != nil {
			return err
		}
		t.PartOf = filepath.Base(s.name)
		p.Name = filepath.Base(name)
		p.Sum, err = w.end(t)
		return err
	})
	text, fault := json.Marshal(p)
	_, err = agree.On(ctx, s.job, s.key+" parts", text, errors.Join(err, fault))
	return err
}

// writeMain writes the main file, in process 0: its own tiles, the table of the tensors, the names
// of the parts that the other processes have written, and the metadata. It also meets the other
// processes if writing fails, so that they get the error.
func (s *saving) writeMain(ctx context.Context) error {
	err := atomicfile.Write(s.name, func(f *os.File) error {
		w := newWriter(f)
		t, err := w.tensors(ctx, s.tensors)
		parts, err := s.parts(ctx, err)
		if err != nil {
			return err
		}
		t.Parts, t.Metadata = parts, s.metadata
		if err := s.look(t); err != nil {
			return err
		}
		_, err = w.end(t)
		return err
	})
	if !s.met {
		_, err = s.parts(ctx, err)
	}
	return err
}

// parts receives, in process 0, the descriptions of the parts from the processes that wrote them,
// by rank from 1 on, and sets s.met. err is this process's own error, nil if it has none; any
// process's error is returned in all.
func (s *saving) parts(ctx context.Context, err error) ([]part, error) {
	s.met = true
	values, err := agree.On(ctx, s.job, s.key+" parts", nil, err)
	if err != nil {
		return nil, err
	}
	parts := make([]part, len(values)-1)
	for i := range parts {
		if err := json.Unmarshal(values[i+1], &parts[i]); err != nil {
			return nil, fmt.Errorf("process %d sent %q as its part: %w", i+1, values[i+1], err)
		}
	}
	return parts, nil
}

// look, in process 0, opens the part file that each other process has written, and checks it as
// Open does. It returns an error if this process does not see a part, or if all tiles together do
// not cover the tensors of t exactly.
func (s *saving) look(t *table) error {
	whole := &table{Tensors: slices.Clone(t.Tensors), Parts: t.Parts}
	for i := range whole.Tensors {
		whole.Tensors[i].Tiles = slices.Clone(whole.Tensors[i].Tiles)
	}
	c := &Checkpoint{name: s.name, table: whole}
	defer c.Close()
	for i, p := range t.Parts {
		err := c.openPart(i+1, p)
		if errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("process %d has written %s, which process 0 does not see: want a directory on a file system that all processes share", i+1, filepath.Join(filepath.Dir(s.name), p.Name))
		}
		if err != nil {
			return err
		}
	}
	if err := whole.checkComplete(); err != nil {
		return fmt.Errorf("the shards of %d processes are not the tensors: %w: want the same tensors in all processes", s.job.ProcessCount(), err)
	}
	return nil
}

// openPart opens the file of part number i and adds its tiles to the table of c. A part that is
// missing, belongs to another checkpoint or has other tensors is an ErrDamaged.
func (c *Checkpoint) openPart(i int, p part) error {
	damagedError := func(format string, args ...any) error {
		return fmt.Errorf("checkpoint: %s: %w: its part %s %w", c.name, ErrDamaged, brief.Text(p.Name), fmt.Errorf(format, args...))
	}
	base := filepath.Base(c.name)
	if !strings.HasPrefix(p.Name, base+".") || filepath.Base(p.Name) != p.Name {
		return damagedError("is not named after it")
	}
	t, sum, err := c.openFile(filepath.Join(filepath.Dir(c.name), p.Name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return damagedError("is not there: %w", err)
	case err != nil:
		return err
	case sum != p.Sum || t.PartOf != base:
		return damagedError("is of another checkpoint")
	case len(t.Tensors) != len(c.table.Tensors):
		return damagedError("has %d tensors, want %d", len(t.Tensors), len(c.table.Tensors))
	}
	for k, e := range t.Tensors {
		whole := &c.table.Tensors[k]
		if e.Name != whole.Name || e.DType != whole.DType || !slices.Equal(e.Shape, whole.Shape) {
			return damagedError("has the tensor %s, of type %s and shape %v, want %s, of type %s and shape %v",
				brief.Text(e.Name), brief.Text(e.DType), e.Shape, brief.Text(whole.Name), brief.Text(whole.DType), whole.Shape)
		}
		for _, tl := range e.Tiles {
			tl.part = i
			whole.Tiles = append(whole.Tiles, tl)
		}
	}
	return nil
}
