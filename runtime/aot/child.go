package aot

// This file runs the compiler in a child process: two plugins do not share a process
// well, and one that crashes takes only the child along.

import "github.com/gospmd/gospmd/internal/reexec"

var child = reexec.Child[question, answer]{Name: "compiler"}

// Serve lets this program be the process in which the compiler runs. Call it first in main,
// or in TestMain: Compile starts this program's executable once more, and there Serve
// compiles, answers and ends the process. Elsewhere it returns at once.
func Serve() {
	child.Serve(func(q question, reply func(answer)) { reply(compileHere(q)) })
}

// environment returns what a child inherits, and these additions. It leaves out the flags of
// XLA: a flag for another platform would end the child.
func environment(more []string) []string {
	return append(reexec.Environment("XLA_FLAGS"), more...)
}
