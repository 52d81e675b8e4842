package worker

// This file starts workers and sends them requests.

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"

	"github.com/gospmd/gospmd/internal/reexec"
)

// Process is a running worker: a process that reads requests from its standard input and writes the
// answers to its standard output.
type Process struct {
	cmd     *exec.Cmd
	stdin   io.WriteCloser
	answers chan []byte // lines of stdout; closed when it ends
	said    reexec.Tail
	started time.Time
	timeout time.Duration
	failed  error // the error that ended the process; later requests return it
}

// Start starts a worker by cmd, whose standard streams it takes. The worker is killed if an answer
// takes longer than timeout.
func Start(cmd *exec.Cmd, timeout time.Duration) (*Process, error) {
	p := &Process{cmd: cmd, answers: make(chan []byte), timeout: timeout}
	cmd.Stderr = &p.said
	cmd.WaitDelay = time.Second // for children that keep stderr open
	var err error
	if p.stdin, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.started = time.Now()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		defer close(p.answers)
		lines := bufio.NewReader(stdout)
		for {
			line, err := lines.ReadBytes('\n')
			if err != nil {
				return
			}
			p.answers <- line
		}
	}()
	return p, nil
}

// RequestError is a worker's answer to a request that failed: Do is the kind of request, Text the
// worker's message. The worker still accepts requests.
type RequestError struct{ Do, Text string }

func (e *RequestError) Error() string { return fmt.Sprintf("%s: %s", e.Do, e.Text) }

// Ask returns the answer to a request. The answer to open contains the time since the process was
// started. If the worker answers with an error, Ask returns a RequestError. If it ends, answers
// something else, or does not answer before the timeout or the end of ctx, Ask kills it and returns
// an error with the end of its stderr, which later requests return as well.
func (p *Process) Ask(ctx context.Context, r Request) (a Answer, err error) {
	if p.failed != nil {
		return a, p.failed
	}
	if err := json.NewEncoder(p.stdin).Encode(r); err != nil {
		return a, p.fail(fmt.Errorf("%s: it takes no request: %w", r.Do, err))
	}
	clock := time.NewTimer(p.timeout)
	defer clock.Stop()
	select {
	case line, ok := <-p.answers:
		if !ok {
			return a, p.fail(fmt.Errorf("%s: it ended without an answer", r.Do))
		}
		if err := json.Unmarshal(line, &a); err != nil {
			return a, p.fail(fmt.Errorf("%s: it answered %.200q: %w", r.Do, line, err))
		}
		if !a.OK {
			return a, &RequestError{r.Do, a.Error}
		}
		if r.Do == "open" {
			a.SinceStart = time.Since(p.started).Seconds()
		}
		return a, nil
	case <-clock.C:
		return a, p.fail(fmt.Errorf("%s: no answer within %v", r.Do, p.timeout))
	case <-ctx.Done():
		return a, p.fail(context.Cause(ctx))
	}
}

// fail kills the process and waits for its end. It returns err with the end of the process' stderr,
// and keeps it for later requests.
func (p *Process) fail(err error) error {
	_ = p.cmd.Process.Kill()
	p.wait()
	if text := p.said.String(); text != "" {
		err = fmt.Errorf("%w; its last words: %s", err, text)
	}
	p.failed = err
	return err
}

func (p *Process) wait() {
	p.stdin.Close()
	for range p.answers { // lets the reader end
	}
	_ = p.cmd.Wait()
}

// Close tells the worker to end, and kills one that has not ended after three seconds. A worker
// that has failed or is closed stays as it is.
func (p *Process) Close() {
	if p.failed != nil {
		return
	}
	p.failed = errors.New("it is closed")
	_ = json.NewEncoder(p.stdin).Encode(Request{Do: "quit"})
	kill := time.AfterFunc(3*time.Second, func() { _ = p.cmd.Process.Kill() })
	defer kill.Stop()
	p.wait()
}
