// Package autoname numbers the names of things that are given none, as Keras does:
// dense, dense_1, dense_2.
//
// It is not for names that a user gives. Kinds are classes in snake case.
//
// Order of use: Next; Clear begins again.
//
//	file         what it holds
//	autoname.go  Next, the next name of a kind; Clear, which begins all kinds again
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

// Clear begins all kinds again.
func Clear() {
	names.Lock()
	defer names.Unlock()
	clear(names.next)
}
