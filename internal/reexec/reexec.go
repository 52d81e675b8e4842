package reexec

// This file implements both sides: it starts a child, and answers in the child.

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"
)

// variable is the environment variable that holds the child's Name in a child's environment.
const variable = "GOSPMD_CHILD"

// The file descriptors that a child inherits.
const (
	questionFile = 3
	answerFile   = 4
)

// Child is a kind of child process, with the types of its question and its answer. encoding/gob
// must support these types.
type Child[Q, A any] struct {
	Name string // the kind of child, such as "compiler"; errors say "the compiler"
}

// served holds the names of the kinds that this program serves.
var served sync.Map

// Serve answers in a process that Ask has started: it calls f with the question and then exits, so
// it does not return. In other processes it only allows Ask to start children. A program calls it
// first in main, a test in TestMain. A library must not call it in init: every program that imports
// the library could then be turned into a child by an environment variable.
func (c Child[Q, A]) Serve(f func(q Q, answer func(A))) {
	served.Store(c.Name, true)
	if os.Getenv(variable) != c.Name {
		return
	}
	in, out := os.NewFile(questionFile, "question"), os.NewFile(answerFile, "answer")
	var q Q
	if err := gob.NewDecoder(in).Decode(&q); err != nil {
		fmt.Fprintf(os.Stderr, "$%s is set, and no question can be read: %v\n", variable, err)
		os.Exit(2)
	}
	os.Unsetenv(variable) // so that it does not reach children of the child
	go func() {           // the child ends with the parent, which keeps the question's pipe open
		io.Copy(io.Discard, in)
		os.Exit(2)
	}()
	answers := gob.NewEncoder(out)
	f(q, func(a A) {
		if err := answers.Encode(a); err != nil {
			fmt.Fprintln(os.Stderr, "the answer cannot be written:", err)
			os.Exit(2)
		}
	})
	os.Exit(0)
}

// IsServed reports whether this program has called Serve. If not, Ask starts nothing.
func (c Child[Q, A]) IsServed() bool {
	_, ok := served.Load(c.Name)
	return ok
}

// Ask starts a child with this environment, asks it q, and returns the last of its answers. If the
// child does not end by returning from f, Ask returns an error with its last lines of output, and
// also its last answer. If ctx ends before, the child is killed, and the error is that of ctx. In a
// program that does not call Serve, Ask is an error and starts nothing.
func (c Child[Q, A]) Ask(ctx context.Context, q Q, env []string) (a A, err error) {
	if !c.IsServed() {
		return a, fmt.Errorf("BUG: the %s's process would run this program's main, which does not serve it", c.Name)
	}
	var said Tail
	cmd, err := c.command(ctx, env, &said)
	if err != nil {
		return a, err
	}
	questions, answers, err := start(cmd)
	if err != nil {
		return a, fmt.Errorf("the %s's process does not start: %w", c.Name, err)
	}
	defer questions.Close()
	defer answers.Close()
	sent := make(chan error, 1)
	go func() {
		err := gob.NewEncoder(questions).Encode(q)
		if err != nil {
			questions.Close() // the child ends
		}
		sent <- err
	}()
	n := 0
	for decoder := gob.NewDecoder(answers); ; n++ {
		var next A
		if err = decoder.Decode(&next); err != nil {
			break
		}
		a = next
	}
	ended := cmd.Wait()
	switch {
	case ended == nil && errors.Is(err, io.EOF) && n > 0:
		return a, <-sent
	case ctx.Err() != nil:
		return a, fmt.Errorf("the %s was stopped: %w", c.Name, context.Cause(ctx))
	case ended == nil:
		ended = err
	}
	select {
	case err := <-sent:
		if err != nil {
			ended = fmt.Errorf("%w; the question was not sent: %w", ended, err)
		}
	default: // the child did not read the question
	}
	return a, fmt.Errorf("the %s's process ended without an answer: %w; the last that it wrote:\n%s", c.Name, ended, said.String())
}

// command returns the command that starts this program's executable as a child of kind c, with the
// environment env and the variable that names the kind. The child's standard output and standard
// error go to said. The command is not started yet; the child is killed when ctx ends. It is an
// error if the executable is not found.
func (c Child[Q, A]) command(ctx context.Context, env []string, said io.Writer) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("the %s runs in this program's executable, which is not found: %w", c.Name, err)
	}
	cmd := exec.CommandContext(ctx, self)
	cmd.Env = append(slices.Clone(env), variable+"="+c.Name)
	cmd.Stdout, cmd.Stderr = said, said
	cmd.WaitDelay = 5 * time.Second
	return cmd, nil
}

// Environment returns this process's environment, NAME=value, without the named variables.
func Environment(without ...string) []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains(without, name)
	})
}

// start starts cmd with the other ends of two pipes as its files 3 and 4. It returns the parent's
// ends: questions to write to, and answers to read from.
func start(cmd *exec.Cmd) (questions, answers *os.File, err error) {
	childQuestions, questions, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	defer childQuestions.Close()
	answers, childAnswers, err := os.Pipe()
	if err != nil {
		questions.Close()
		return nil, nil, err
	}
	defer childAnswers.Close()
	cmd.ExtraFiles = []*os.File{childQuestions, childAnswers}
	if err := cmd.Start(); err != nil {
		questions.Close()
		answers.Close()
		return nil, nil, err
	}
	return questions, answers, nil
}
