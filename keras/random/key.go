package random

// This file defines Key, the block function that all numbers come from, and the
// random words of any part of a tensor on the host.

import (
	"fmt"
	"math/bits"
	"reflect"
	"runtime"
	"slices"
	"sync"

	"github.com/gospmd/gospmd/layout"
)

// Key is the key of one stream of random numbers. Equal keys give equal
// numbers; every operation needs a key of its own.
type Key [2]uint32

// rotations are the numbers of bits that Threefry-2x32 rotates by in its rounds: two groups of
// four, which alternate.
var rotations = [2][4]int{{13, 15, 26, 6}, {17, 29, 16, 24}}

// parity makes the third word of the key schedule (Salmon et al. 2011, §3.3).
const parity = 0x1BD11BDA

// Block returns the counter (hi, lo) encrypted under the key: Threefry-2x32 with 20 rounds (Salmon
// et al., Parallel Random Numbers: As Easy as 1, 2, 3, 2011).
func (k Key) Block(hi, lo uint32) (uint32, uint32) {
	s := k.schedule()
	return s.block(hi, lo)
}

// schedule holds the words that are added to the counter before the first round
// and after every fourth one.
type schedule [6][2]uint32

func (k Key) schedule() *schedule {
	words := [3]uint32{k[0], k[1], k[0] ^ k[1] ^ parity}
	s := new(schedule)
	for i := range s {
		s[i] = [2]uint32{words[i%3], words[(i+1)%3] + uint32(i)}
	}
	return s
}

// mix is one round of Threefry-2x32: it adds b to a, rotates b by rotation and xors the sum into
// it.
func mix(a, b uint32, rotation int) (uint32, uint32) {
	a += b
	return a, bits.RotateLeft32(b, rotation) ^ a
}

// block returns what Key.Block returns for the counter with the words hi and lo: two words of
// random bits. Its rounds are unrolled for speed.
func (s *schedule) block(hi, lo uint32) (uint32, uint32) {
	a, b := hi+s[0][0], lo+s[0][1]
	a, b = mix(a, b, 13)
	a, b = mix(a, b, 15)
	a, b = mix(a, b, 26)
	a, b = mix(a, b, 6)
	a, b = a+s[1][0], b+s[1][1]
	a, b = mix(a, b, 17)
	a, b = mix(a, b, 29)
	a, b = mix(a, b, 16)
	a, b = mix(a, b, 24)
	a, b = a+s[2][0], b+s[2][1]
	a, b = mix(a, b, 13)
	a, b = mix(a, b, 15)
	a, b = mix(a, b, 26)
	a, b = mix(a, b, 6)
	a, b = a+s[3][0], b+s[3][1]
	a, b = mix(a, b, 17)
	a, b = mix(a, b, 29)
	a, b = mix(a, b, 16)
	a, b = mix(a, b, 24)
	a, b = a+s[4][0], b+s[4][1]
	a, b = mix(a, b, 13)
	a, b = mix(a, b, 15)
	a, b = mix(a, b, 26)
	a, b = mix(a, b, 6)
	a, b = a+s[5][0], b+s[5][1]
	return a, b
}

// Split returns n keys that it derives from this one, as jax.random.split does. Do not use k for
// anything else.
func (k Key) Split(n int) []Key {
	keys := make([]Key, n)
	for i := range keys {
		keys[i][0], keys[i][1] = k.Block(0, uint32(i))
	}
	return keys
}

// FoldIn returns a key that it derives from this one and the number data, as jax.random.fold_in
// does. Different numbers give different keys.
func (k Key) FoldIn(data uint32) Key {
	a, b := k.Block(0, data)
	return Key{a, b}
}

// chunk is the number of words that are made before they are turned into numbers: so few fit into
// the first-level cache.
const chunk = 512

// FillBits writes the random words of the elements in ranges of a tensor of shape global into dst,
// in row-major order. dst is a []uint8, []uint16, []uint32 or []uint64, with just that many
// elements; anything else is an error. The words are those of jax.random.bits.
func (k Key) FillBits(dst any, global []int, ranges []layout.Range) error {
	runs, err := newRuns("FillBits", dst, global, ranges)
	if err != nil {
		return err
	}
	switch d := dst.(type) {
	case []uint8:
		walk(runs, k.schedule().words32, func(at int, w []uint32) { narrow(d[at:], w) })
	case []uint16:
		walk(runs, k.schedule().words32, func(at int, w []uint32) { narrow(d[at:], w) })
	case []uint32:
		walk(runs, k.schedule().words32, func(at int, w []uint32) { copy(d[at:], w) })
	case []uint64:
		walk(runs, k.schedule().words64, func(at int, w []uint64) { copy(d[at:], w) })
	default:
		return fmt.Errorf("random: FillBits: cannot fill a %T: want []uint8, []uint16, []uint32 or []uint64", dst)
	}
	return nil
}

func narrow[T uint8 | uint16](dst []T, words []uint32) {
	for i, w := range words {
		dst[i] = T(w)
	}
}

// runs describes the elements of a part of a tensor, in row-major order, as runs
// of consecutive global indices.
type runs struct {
	start  uint64 // global index of the first element
	length int    // elements in every run
	counts []int  // runs along each outer dimension, major first
	// by dimension: the difference of the global indices of two runs that are neighbours along it
	steps []uint64
}

// newRuns returns the runs of elements that ranges select of a tensor of shape global, for dst. It
// checks the arguments that all Fill methods have; op names the method in errors.
func newRuns(op string, dst any, global []int, ranges []layout.Range) (*runs, error) {
	if len(ranges) != len(global) {
		return nil, fmt.Errorf("random: %s: got %d ranges for a tensor of rank %d (shape %v): want one range per dimension",
			op, len(ranges), len(global), global)
	}
	size := 1
	for i, r := range ranges {
		if r.Start < 0 || r.Limit < r.Start || r.Limit > global[i] {
			return nil, fmt.Errorf("random: %s: dimension %d: range [%d, %d) is not within [0, %d) (shape %v)",
				op, i, r.Start, r.Limit, global[i], global)
		}
		size *= r.Len()
	}
	if v := reflect.ValueOf(dst); v.Kind() != reflect.Slice || v.Len() != size {
		return nil, fmt.Errorf("random: %s: got a destination of type %T and length %d: want a slice of the %d elements in %v",
			op, dst, lengthOf(v), size, ranges)
	}

	r := &runs{length: 1}
	full := true // ranges hold all of every later dimension
	stride := uint64(1)
	for i := len(global) - 1; i >= 0; i-- {
		n := ranges[i].Len()
		r.start += uint64(ranges[i].Start) * stride
		if full {
			r.length *= n
			full = n == global[i]
		} else {
			r.counts = slices.Insert(r.counts, 0, n)
			r.steps = slices.Insert(r.steps, 0, stride)
		}
		stride *= uint64(global[i])
	}
	if size == 0 {
		return &runs{}, nil
	}
	return r, nil
}

func lengthOf(v reflect.Value) int {
	if v.Kind() == reflect.Slice {
		return v.Len()
	}
	return 0
}

// size returns the number of elements that r describes.
func (r *runs) size() int {
	n := r.length
	for _, c := range r.counts {
		n *= c
	}
	return n
}

// index returns the global index of the first element of the run with the number run, which counts
// from 0 in row-major order.
func (r *runs) index(run int) uint64 {
	at := r.start
	for i := len(r.counts) - 1; i >= 0; i-- {
		at += uint64(run%r.counts[i]) * r.steps[i]
		run /= r.counts[i]
	}
	return at
}

// leastWork is the least number of elements of a goroutine: for fewer a goroutine costs more than
// it saves.
const leastWork = 1 << 15

// walk computes the words of all elements chunk by chunk, on all processors. fill makes the words
// of consecutive elements from the global index of the first; visit gets the words of a chunk and
// the position of the first in the destination. Both are called by several goroutines at the same
// time, for different elements. visit must not keep the words.
func walk[W any](r *runs, fill func(words []W, index uint64), visit func(at int, words []W)) {
	size := r.size()
	parts := min(runtime.GOMAXPROCS(0), size/leastWork)
	if parts <= 1 {
		walkPart(r, 0, size, fill, visit)
		return
	}
	var done sync.WaitGroup
	for i := range parts {
		done.Go(func() { walkPart(r, i*size/parts, (i+1)*size/parts, fill, visit) })
	}
	done.Wait()
}

// walkPart calls fill and visit as walk does, for the elements at the positions from to to-1 in the
// destination only.
func walkPart[W any](r *runs, from, to int, fill func(words []W, index uint64), visit func(at int, words []W)) {
	var buf [chunk]W
	n := 0 // words in buf, of the elements before from
	for from < to {
		run, within := from/r.length, from%r.length
		m := min(chunk-n, r.length-within, to-from)
		fill(buf[n:n+m], r.index(run)+uint64(within))
		n, from = n+m, from+m
		if n == chunk || from == to {
			visit(from-n, buf[:n])
			n = 0
		}
	}
}

// words32 fills words with the 32-bit random words of consecutive elements. The first element has
// the global index index.
func (s *schedule) words32(words []uint32, index uint64) {
	for i := range words {
		a, b := s.block(uint32(index>>32), uint32(index))
		words[i] = a ^ b
		index++
	}
}

// words64 fills words with the 64-bit random words of consecutive elements. The first element has
// the global index index.
func (s *schedule) words64(words []uint64, index uint64) {
	for i := range words {
		a, b := s.block(uint32(index>>32), uint32(index))
		words[i] = uint64(a)<<32 | uint64(b)
		index++
	}
}
