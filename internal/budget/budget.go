// Package budget bounds the memory that reading a file may take by the size of the file: a fixed
// amount, and so many bytes for each byte of the file. A reader charges the budget before it
// allocates memory of a size that is in the file. So a small file that is damaged or hostile gives
// an error, and does not end the process.
//
// It does not measure memory. A reader charges memory before it allocates it. Memory that it frees
// again stays charged, unless it only calls Check.
//
// Order of use: ForFile with the size of the file as it is stored; Take or Check before each
// allocation; JSON before a text is decoded.
//
//	method  what it is for
//	Take    memory that is kept: structures, names, elements
//	Check   memory that is freed soon: one block, one image
//	JSON    the values that a JSON text would be decoded into
package budget

import (
	"errors"
	"fmt"
	"math"
	"sync/atomic"
)

// The memory that a file of n bytes may take is Floor + PerByte*n. With garbage between
// collections, and the memory of a small program, the total stays below 64 MB + 8 times the file.
const (
	Floor   = 40 << 20
	PerByte = 6
)

// ErrExceeded is the error of a file that would take more memory than its budget.
var ErrExceeded = errors.New("the file is damaged, or made to fill the memory")

// Budget is the memory that reading one file may take. Its methods may be called from several
// goroutines.
type Budget struct {
	size, limit int64
	taken       atomic.Int64
}

// ForFile returns the budget of a file of the given size (the stored size, not a decompressed one).
func ForFile(size int64) *Budget {
	size = max(size, 0)
	limit := int64(math.MaxInt64)
	if size < (math.MaxInt64-Floor)/PerByte {
		limit = Floor + PerByte*size
	}
	return &Budget{size: size, limit: limit}
}

// WithLimit returns the budget of a file of that size, but with this limit in bytes.
func WithLimit(size, limit int64) *Budget { return &Budget{size: size, limit: limit} }

// Limit returns the memory that the file may take in all.
func (b *Budget) Limit() int64 { return b.limit }

// Take charges n bytes. what names their purpose in errors. If that exceeds the budget, or n is
// negative, as a result of Product may be, it charges nothing, and returns an error that wraps
// ErrExceeded.
func (b *Budget) Take(n int64, what string) error {
	for {
		taken := b.taken.Load()
		if n < 0 || n > b.limit-taken {
			return b.exceededError(n, what)
		}
		if b.taken.CompareAndSwap(taken, taken+n) {
			return nil
		}
	}
}

// Check returns the error that Take would return, but charges nothing. what says in the error what
// the memory is for.
func (b *Budget) Check(n int64, what string) error {
	if n < 0 || n > b.limit-b.taken.Load() {
		return b.exceededError(n, what)
	}
	return nil
}

func (b *Budget) exceededError(n int64, what string) error {
	need := "more memory than there is"
	if n >= 0 {
		need = Size(n)
	}
	return fmt.Errorf("%s needs %s, but a file of %s may take %s: %w", what, need, Size(b.size), Size(b.limit), ErrExceeded)
}

// Cost is the memory, in bytes, of the values of a JSON text: of each object, of each list, and of
// each further value in an object or a list.
type Cost struct{ Object, List, Value int64 }

// Any is the Cost of values that are decoded into an any: maps, slices and boxed numbers, and
// copies that are made while they grow.
var Any = Cost{Object: 400, List: 64, Value: 128}

// JSON charges what the values of a JSON text take: by cost, and two bytes for each byte of the
// text. It counts braces, brackets and commas outside of strings, so that the text need not be
// valid. If they exceed the budget, it charges nothing, and returns the error of Take, in which
// what names the text.
func (b *Budget) JSON(text []byte, cost Cost, what string) error {
	n := 2 * int64(len(text)) // strings, and keys of maps
	inString := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{':
			n += cost.Object
		case c == '[':
			n += cost.List
		case c == ',':
			n += cost.Value
		}
	}
	return b.Take(n, what)
}

// Product returns the product of non-negative numbers. If it is larger than any memory, or a number
// is negative, the result is -1, which Take and Check refuse.
func Product(numbers ...int64) int64 {
	p := int64(1)
	for _, n := range numbers {
		switch {
		case n < 0 || p < 0:
			p = -1
		case n > 0 && p > math.MaxInt64/n:
			p = -1
		default:
			p *= n
		}
	}
	return p
}

// Size formats a number of bytes for people: 17 bytes, 4.2 MB.
func Size(n int64) string {
	switch {
	case n < 10_000:
		return fmt.Sprintf("%d bytes", n)
	case n < 1_000_000_000:
		return fmt.Sprintf("%.3g MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.4g GB", float64(n)/1e9)
}
