package data

// This file defines the stage Cache that keeps elements in a file.

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"sync"

	"github.com/gospmd/gospmd/internal/atomicfile"
)

// fileCache keeps the elements of pass 0 in a file, which a whole pass writes.
type fileCache struct {
	stage
	path string

	mu   sync.Mutex
	file *elementFile // once it was read or written
}

func (s *fileCache) name() string { return "Cache" }

func (s *fileCache) identify(w io.Writer) error {
	fmt.Fprintln(w, "cache")
	return s.stage.identify(w)
}

// identity returns a checksum of what the elements are made of: the stages, the
// data in memory, and the first element. Seeds that were drawn are no part of
// it.
func (s *fileCache) identity(ctx context.Context) (string, error) {
	h := sha256.New()
	if err := s.stage.identify(h); err != nil {
		return "", err
	}
	for it, err := range s.stage.open(ctx, pass{}, 0) {
		if err != nil {
			return "", err
		}
		b, err := it.batch()
		if err != nil {
			return "", err
		}
		bytes, err := encode(b)
		if err != nil {
			return "", err
		}
		l, err := json.Marshal(layoutOf(b))
		if err != nil {
			return "", err
		}
		h.Write(l)
		h.Write(bytes)
		break
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// ready returns the file if it was written before, nil if it is not there.
func (s *fileCache) ready(ctx context.Context) (*elementFile, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file != nil {
		return s.file, nil
	}
	f, err := openElements(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("Cache: %s: %w: remove it, so that it is made anew", s.path, err)
	}
	want, err := s.identity(ctx)
	if err == nil && f.table.Identity != want {
		err = fmt.Errorf("Cache: %s was made of other data, or by other stages: remove it, or give another name", s.path)
	}
	if err != nil {
		f.file.Close()
		return nil, err
	}
	s.file = f
	return f, nil
}

// at has elements alone only when the file is there: else a pass in order is to
// write it.
func (s *fileCache) at(pass) func(int) (item, error) {
	f, err := s.ready(context.Background())
	if err != nil || f == nil || len(f.offsets) != s.stage.size() {
		return nil // open says what is wrong
	}
	return f.read
}

func (s *fileCache) open(ctx context.Context, p pass, from int) iter.Seq2[item, error] {
	return func(yield func(item, error) bool) {
		f, err := s.ready(ctx)
		switch {
		case err != nil:
			yield(item{}, err)
		case f != nil:
			sequence(ctx, from, len(f.offsets), f.read)(yield)
		case from > 0:
			s.stage.open(ctx, first(p), from)(yield)
		default:
			s.write(ctx, p, yield)
		}
	}
}

// errBroken says that a loop ended before all elements were written.
var errBroken = errors.New("broken off")

// write yields the elements of a whole pass and puts them into the file.
func (s *fileCache) write(ctx context.Context, p pass, yield func(item, error) bool) {
	identity, err := s.identity(ctx)
	if err != nil {
		yield(item{}, err)
		return
	}
	err = atomicfile.Write(s.path, func(f *os.File) error {
		w := elementWriter{to: f, table: cacheTable{Identity: identity}}
		if err := w.begin(); err != nil {
			return err
		}
		for it, err := range s.stage.open(ctx, first(p), 0) {
			var b Batch
			if err == nil {
				b, err = it.batch()
			}
			if err == nil {
				err = w.add(b)
			}
			if err != nil {
				return err
			}
			if !yield(whole(b), nil) {
				return errBroken
			}
		}
		return w.end()
	})
	if err == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.file, err = openElements(s.path)
	}
	if err != nil && err != errBroken {
		yield(item{}, fmt.Errorf("Cache: %s: %w", s.path, err))
	}
}
