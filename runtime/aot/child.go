package aot

// This file runs the compiler in a child process: two plugins do not share a process
// well, and one that crashes takes only the child along.

import "github.com/gospmd/gospmd/internal/reexec"

var child = reexec.Child[question, answer]{Name: "compiler"}

func init() {
	child.Serve(func(q question, reply func(answer)) { reply(compileHere(q)) })
}

// environment returns what a child inherits, and these additions: not the flags of XLA, of
// which those for another platform would end it.
func environment(more []string) []string {
	return append(reexec.Environment("XLA_FLAGS"), more...)
}
