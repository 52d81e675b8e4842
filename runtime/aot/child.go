package aot

// This file runs the compiler in a child process: two plugins in one process disturb each other,
// and a crash of a plugin ends only the child.

import "github.com/gospmd/gospmd/internal/reexec"

var child = reexec.Child[question, answer]{Name: "compiler"}

// Serve makes this program usable as the child process in which the compiler runs. Call it first in
// main, or in TestMain. Compile starts the program's executable again, and in that process Serve
// compiles, answers and exits. In other processes it returns at once.
func Serve() {
	child.Serve(func(q question, reply func(answer)) { reply(compileHere(q)) })
}

// environment returns the environment of a child: this process' environment and these additions,
// without the flags of XLA. A flag for another platform would end the child.
func environment(more []string) []string {
	return append(reexec.Environment("XLA_FLAGS"), more...)
}
