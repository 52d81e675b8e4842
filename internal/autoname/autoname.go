// Package autoname makes names for objects without one, as Keras does: dense, dense_1, dense_2.
//
// The kind of an object is its class in snake case.
//
// Order of use: Next; Clear to start from the first names again.
//
//	file         what it holds
//	autoname.go  Next, the next name of a kind; Clear, which resets all kinds
//	snake.go     Snake, the name of a class in snake case
package autoname

import (
	"fmt"
	"sync"
)

var names = struct {
	sync.Mutex
	next map[string]int
}{next: make(map[string]int)}

// Next returns the next name of a kind: sequential, sequential_1, ….
func Next(kind string) string {
	names.Lock()
	defer names.Unlock()
	n := names.next[kind]
	names.next[kind]++
	if n == 0 {
		return kind
	}
	return fmt.Sprintf("%s_%d", kind, n)
}

// Clear resets the numbers of all kinds.
func Clear() {
	names.Lock()
	defer names.Unlock()
	clear(names.next)
}
