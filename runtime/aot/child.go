package aot

// This file runs the compiler in a child process: the same executable, which loads
// the plugin, answers one question and ends. Two plugins do not share a process well,
// and one that crashes takes only the child along.

import (
	"bytes"
	"context"
	"encoding/gob"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// childVar is set in the environment of a child.
const childVar = "GOSPMD_AOT_CHILD"

// The files that a child inherits.
const (
	questionFile = 3
	answerFile   = 4
)

// The child needs nothing of the program that it is: it ends before main begins.
func init() {
	if os.Getenv(childVar) != "" {
		serve()
	}
}

// serve answers the parent's question. It ends with the parent, which keeps the
// question's pipe open as long as it waits.
func serve() {
	in, out := os.NewFile(questionFile, "question"), os.NewFile(answerFile, "answer")
	var q question
	if err := gob.NewDecoder(in).Decode(&q); err != nil {
		fmt.Fprintf(os.Stderr, "$%s is set, and no question can be read: %v\n", childVar, err)
		os.Exit(2)
	}
	go func() {
		io.Copy(io.Discard, in)
		os.Exit(2)
	}()
	if err := gob.NewEncoder(out).Encode(compileHere(q)); err != nil {
		fmt.Fprintln(os.Stderr, "the answer cannot be written:", err)
		os.Exit(2)
	}
	os.Exit(0)
}

// ask has a child with these additions to its environment answer q.
func ask(ctx context.Context, q question, env []string) (a answer, err error) {
	var said tail
	cmd, err := command(ctx, env, &said)
	if err != nil {
		return a, err
	}
	questions, answers, err := start(cmd)
	if err != nil {
		return a, fmt.Errorf("the compiler's process does not start: %w", err)
	}
	defer questions.Close()
	defer answers.Close()
	sent := make(chan error, 1)
	go func() { sent <- gob.NewEncoder(questions).Encode(q) }()
	answered := gob.NewDecoder(answers).Decode(&a)
	ended := cmd.Wait()
	switch {
	case answered == nil:
		<-sent
		return a, nil
	case ctx.Err() != nil:
		return a, fmt.Errorf("the compiler was stopped: %w", context.Cause(ctx))
	case ended == nil:
		ended = answered
	}
	return a, fmt.Errorf("the compiler's process ended without an answer: %w; the last that it wrote:\n%s", ended, said.String())
}

// command is the child, not yet started.
func command(ctx context.Context, env []string, said io.Writer) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("the compiler runs in this program's executable, which is not found: %w", err)
	}
	cmd := exec.CommandContext(ctx, self)
	cmd.Env = append(environment(os.Environ()), env...)
	cmd.Env = append(cmd.Env, childVar+"=1")
	cmd.Stdout, cmd.Stderr = said, said
	cmd.WaitDelay = 5 * time.Second
	return cmd, nil
}

// environment returns what a child inherits: not the flags of XLA, of which those for
// another platform would end it.
func environment(parent []string) (env []string) {
	for _, v := range parent {
		if !strings.HasPrefix(v, "XLA_FLAGS=") {
			env = append(env, v)
		}
	}
	return env
}

// start starts a child and returns the parent's ends of the pipes.
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

// tail keeps the end of what is written to it.
type tail struct{ text []byte }

// tailBytes is how much.
const tailBytes = 4 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.text = append(t.text, p...)
	if extra := len(t.text) - 2*tailBytes; extra > 0 {
		t.text = append(t.text[:0], t.text[extra:]...)
	}
	return len(p), nil
}

// String returns the last lines.
func (t *tail) String() string {
	text := t.text
	if len(text) > tailBytes {
		text = text[len(text)-tailBytes:]
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			text = text[i+1:]
		}
	}
	return string(bytes.TrimSpace(text))
}
