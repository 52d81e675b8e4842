package data

// This file defines the stage Cache, which keeps elements in memory or in a file.

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

// cache keeps the elements of pass 0 in memory, in the order in which they are computed, and yields
// them in every pass. So a Shuffle before the cache has the same order in every pass.
type cache struct {
	stage
	seeded bool // whether the elements depend on the seed of the pass

	mu    sync.Mutex
	seed  uint64 // seed of the pass whose elements are in items
	items map[int]item
	end   int // number of elements, Unknown until a pass has reached the last one
}

func newCache(s stage, seeded bool) *cache {
	return &cache{stage: s, seeded: seeded, items: make(map[int]item), end: s.size()}
}

func (s *cache) name() string { return "Cache" }

func (s *cache) identify(w io.Writer) error {
	fmt.Fprintln(w, "cache")
	return s.stage.identify(w)
}

func (s *cache) size() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.end
}

func (s *cache) get(i int) (item, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	it, ok := s.items[i]
	return it, ok
}

func (s *cache) put(i int, it item) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items[i] = it
}

// firstPass returns the first pass with the seed of p: the one whose elements are kept.
func firstPass(p pass) pass { return pass{seed: p.seed} }

// reset drops the kept elements if they depend on the seed and are of another seed than that of p.
func (s *cache) reset(p pass) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seeded && s.seed != p.seed {
		s.seed = p.seed
		clear(s.items)
	}
}

func (s *cache) at(p pass) func(int) (item, error) {
	s.reset(p)
	compute := s.stage.at(firstPass(p))
	if compute == nil {
		return nil
	}
	return func(i int) (item, error) {
		if it, ok := s.get(i); ok {
			return it, nil
		}
		it, err := compute(i)
		if err == nil {
			s.put(i, it)
		}
		return it, err
	}
}

func (s *cache) open(ctx context.Context, p pass, from int) iter.Seq2[item, error] {
	return func(yield func(item, error) bool) {
		s.reset(p)
		i := from
		for it, ok := s.get(i); ok; it, ok = s.get(i) {
			if err := ctx.Err(); err != nil {
				yield(item{}, err)
				return
			}
			if !yield(it, nil) {
				return
			}
			i++
		}
		if end := s.size(); end >= 0 && i >= end {
			return
		}
		for it, err := range s.stage.open(ctx, firstPass(p), i) {
			if err == nil {
				s.put(i, it)
			}
			if !yield(it, err) || err != nil {
				return
			}
			i++
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.end == Unknown && i > from {
			s.end = i
		}
	}
}

// fileCache keeps the elements of pass 0 in a file, which a complete pass writes.
type fileCache struct {
	stage
	path string

	mu   sync.Mutex
	file *elementFile // nil until it was read or written
}

func (s *fileCache) name() string { return "Cache" }

func (s *fileCache) identify(w io.Writer) error {
	fmt.Fprintln(w, "cache")
	return s.stage.identify(w)
}

// identity returns a checksum of the sources of the elements: the stages, the data in memory, and
// the first element. It does not include seeds that were drawn at random.
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

// ready opens and returns the file of the cache, and keeps it open; nil if it was not written yet.
// A damaged file, and one of other data or stages, are errors.
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
		return nil, fmt.Errorf("Cache: %s: %w: remove it, so that it is written again", s.path, err)
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

// at returns a function that reads single elements, if the file exists, is good, and has as many
// elements as the stage before says. Otherwise it returns nil: a pass in order must write the file,
// or yields its error.
func (s *fileCache) at(pass) func(int) (item, error) {
	f, err := s.ready(context.Background())
	if err != nil || f == nil || len(f.offsets) != s.stage.size() {
		return nil // open will yield the error
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
			s.stage.open(ctx, firstPass(p), from)(yield)
		default:
			s.write(ctx, p, yield)
		}
	}
}

// errStopped is the error of writing a cache file if the loop over the elements ended early.
var errStopped = errors.New("the loop ended early")

// write yields the elements of a complete pass and writes them into the cache's file. The file is
// there only if the pass is complete; an error ends the pass.
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
		for it, err := range s.stage.open(ctx, firstPass(p), 0) {
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
			if !yield(itemOf(b), nil) {
				return errStopped
			}
		}
		return w.end()
	})
	if err == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.file, err = openElements(s.path)
	}
	if err != nil && err != errStopped {
		yield(item{}, fmt.Errorf("Cache: %s: %w", s.path, err))
	}
}
