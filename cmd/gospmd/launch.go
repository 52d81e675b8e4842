package main

// This file implements gospmd launch, which starts the processes of a job on this machine.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/creack/pty"
	"golang.org/x/term"

	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/runtime/coordination"
)

// launch is one call of gospmd launch: what its flags set, the program, and the writers of the
// output.
type launch struct {
	processes, devices int
	oversubscribe, tls bool
	logs               string
	grace              time.Duration
	program            []string
	out, diag          io.Writer
}

// failedJob is the error of a job with a process that failed. It also holds the exit code.
type failedJob struct {
	code int
	text string
}

func (e *failedJob) Error() string { return e.text }

// runLaunch is the command launch: it starts the program in args as several processes of a job,
// prints their output to out and diag, and waits for them. Once one fails it ends all; its error
// carries the exit code of the first that failed.
func runLaunch(args []string, _ io.Reader, out, diag io.Writer) error {
	l := &launch{out: out, diag: diag}
	fs := newFlags("launch", "Starts PROGRAM as N processes of one job on this machine and prints their output, each line with the number of its process.\n"+
		"All are ended when one fails; the exit code is that of the first that failed.\n"+
		"A program that calls distribution.Initialize or distribute.MultiWorkerMirroredStrategy needs no flags of its own: it reads "+
		coordination.VariableCoordinator+", "+coordination.VariableNumProcesses+", "+coordination.VariableProcessID+" and the names of its certificate's files, which launch sets.", diag,
		"-n 4 -- ./train -epochs 3", "-n 2 -devices 4 -logs logs -- go run ./examples/quickstart")
	fs.arguments, fs.files = "-- PROGRAM ARGS", ""
	fs.IntVar(&l.processes, "n", 0, "the number of processes")
	fs.IntVar(&l.devices, "devices", 0, "the number of virtual CPU devices of each process (sets "+distribution.DevicesEnv+")")
	fs.StringVar(&l.logs, "logs", "", "a directory for what each process writes on its standard error: rank0.err, rank1.err, …")
	fs.DurationVar(&l.grace, "grace", 5*time.Second, "how long processes may take to end after one failed, before they are killed")
	fs.BoolVar(&l.tls, "tls", true, "processes talk TLS, with certificates made for this job")
	fs.BoolVar(&l.oversubscribe, "oversubscribe", false, "start more processes than the machine has cores and memory for")
	if err := fs.Parse(args); err != nil {
		return fs.explain(err)
	}
	l.program = fs.Args()
	switch {
	case l.processes < 1:
		return fmt.Errorf("launch: -n is %d, want the number of processes, such as -n 4", l.processes)
	case l.devices < 0:
		return fmt.Errorf("launch: -devices is %d, want the number of virtual CPU devices of a process, such as -devices 2", l.devices)
	case len(l.program) == 0:
		return errors.New("launch: no program, want gospmd launch -n 4 -- PROGRAM ARGS")
	}
	if !l.oversubscribe {
		if err := machineCapacity().check(l.processes); err != nil {
			return err
		}
	}
	return l.run()
}

// child is one process of the job.
type child struct {
	rank      int
	cmd       *exec.Cmd
	out, diag *prefixed
	logs      *os.File       // the file of its standard error, if it is kept
	tty       *os.File       // the terminal of its standard output, if it has one
	copied    sync.WaitGroup // waits until the output of tty is copied
}

func (l *launch) run() error {
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	if l.logs != "" {
		if err := os.MkdirAll(l.logs, 0o777); err != nil {
			return fmt.Errorf("launch: -logs: %w", err)
		}
	}
	job, err := hostJob(context.Background(), l.processes, l.tls, l.diag)
	if err != nil {
		return fmt.Errorf("launch: %w", err)
	}
	defer job.close()

	merged := newMerged(l.out, l.diag)
	var children []*child
	ended := make(chan *child, l.processes)
	for rank := range l.processes {
		select {
		case s := <-signals:
			signals <- s
			if err := l.supervise(children, ended, signals, job.store.Failed()); err != nil {
				return err
			}
			return &failedJob{code: signalExitCode(s.(syscall.Signal)), text: fmt.Sprintf("launch: %v after %d of %d processes were started", s, rank, l.processes)}
		default:
		}
		c, err := l.start(rank, job, merged)
		if err != nil {
			signalAll(children, syscall.SIGKILL)
			for range children {
				<-ended
			}
			return fmt.Errorf("launch: process %d: %w", rank, err)
		}
		children = append(children, c)
		go func() {
			c.wait()
			ended <- c
		}()
	}
	return l.supervise(children, ended, signals, job.store.Failed())
}

// signalExitCode returns the exit code of a process that a signal has ended, as shells do.
func signalExitCode(s syscall.Signal) int { return 128 + int(s) }

// start starts the process with that rank of the job, and returns it without waiting. Its output
// goes through merged, and that on standard error also into the file of -logs. Process 0 gets the
// terminal if there is one. Credentials or a file that cannot be written, and a program that does
// not start, are errors.
func (l *launch) start(rank int, job *hostedJob, merged *merged) (_ *child, err error) {
	environ, err := job.environ(rank, l.processes)
	if err != nil {
		return nil, err
	}
	c := &child{rank: rank, cmd: exec.Command(l.program[0], l.program[1:]...)}
	defer func() {
		if err != nil {
			c.closeFiles()
		}
	}()
	c.out, c.diag = merged.stream(rank, false), merged.stream(rank, true)
	c.cmd.Env = append(os.Environ(), environ...)
	if l.devices > 0 {
		c.cmd.Env = append(c.cmd.Env, distribution.DevicesEnv+"="+strconv.Itoa(l.devices))
	}
	c.cmd.Stdout, c.cmd.Stderr = c.out, c.diag
	if l.logs != "" {
		file, err := os.Create(l.errors(rank))
		if err != nil {
			return nil, fmt.Errorf("-logs: %w", err)
		}
		c.logs = file
		c.cmd.Stderr = io.MultiWriter(file, c.diag)
	}
	c.cmd.WaitDelay = l.grace // for processes that it has started
	setOwnGroup(c.cmd)
	if terminal, ok := l.out.(*os.File); ok && rank == 0 && term.IsTerminal(int(terminal.Fd())) {
		if err := c.giveTerminal(terminal); err != nil {
			return nil, err
		}
	}
	err = c.cmd.Start()
	if c.tty != nil {
		c.cmd.Stdout.(*os.File).Close()
	}
	return c, err
}

func (l *launch) errors(rank int) string {
	return filepath.Join(l.logs, fmt.Sprintf("rank%d.err", rank))
}

// giveTerminal gives process 0 a terminal, of the size of like, so that it shows a progress bar as
// it does without launch.
func (c *child) giveTerminal(like *os.File) error {
	master, slave, err := pty.Open()
	if err != nil {
		return err
	}
	pty.InheritSize(like, master) //nolint:errcheck // on an error there is no size
	c.tty, c.cmd.Stdout = master, slave
	c.copied.Go(func() { io.Copy(c.out, master) }) // ends with an error when the process ends
	return nil
}

// wait waits until the process has ended and all of its output is printed.
func (c *child) wait() {
	c.cmd.Wait() //nolint:errcheck // ProcessState has the error
	c.copied.Wait()
	c.out.end()
	c.diag.end()
	c.closeFiles()
}

// closeFiles closes the terminal and the file of the standard error, if c has them.
func (c *child) closeFiles() {
	for _, file := range []*os.File{c.tty, c.logs} {
		if file != nil {
			file.Close()
		}
	}
}

// supervise waits for all processes, which come from ended, and forwards signals to them. When one
// process or the store has failed, it asks all to end. l.grace after that, or after the first
// signal, it kills those that still run. It returns the first failure, that of the store before all
// others; nil if all processes succeed.
func (l *launch) supervise(children []*child, ended <-chan *child, signals <-chan os.Signal, storeFailed <-chan error) error {
	var first *child
	var lost error            // the error of the store
	var kill <-chan time.Time // set when the processes have been asked to end
	end := func(s syscall.Signal) {
		if signalAll(children, s); kill == nil {
			kill = time.After(l.grace)
		}
	}
	for left := len(children); left > 0; {
		select {
		case s := <-signals:
			end(s.(syscall.Signal))
		case <-kill:
			signalAll(children, syscall.SIGKILL)
		case lost = <-storeFailed:
			end(syscall.SIGTERM)
		case c := <-ended:
			left--
			if first == nil && !c.cmd.ProcessState.Success() {
				first = c
				if kill == nil {
					end(syscall.SIGTERM)
				}
			}
		}
	}
	if lost != nil {
		return &failedJob{code: 1, text: fmt.Sprintf("launch: the store of the job has failed: %v", lost)}
	}
	if first == nil {
		return nil
	}
	return l.failure(first)
}

// failure returns the error of the process that failed first, a *failedJob with its exit code, or
// 128 and the number of the signal that has ended it. The text has the last line that it wrote on
// its standard error.
func (l *launch) failure(c *child) error {
	text := fmt.Sprintf("launch: process %d of %d failed first (%s)", c.rank, l.processes, c.cmd.ProcessState)
	if last := c.diag.lastError(); last != "" {
		text += ": " + last
	} else {
		text += " and wrote no error"
	}
	if l.logs != "" {
		text += "; all that it wrote is in " + l.errors(c.rank)
	}
	code := c.cmd.ProcessState.ExitCode()
	if status, ok := c.cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		code = signalExitCode(status.Signal())
	}
	return &failedJob{code: code, text: text}
}

// signalAll sends the signal s to the processes children, and to all processes that they have
// started.
func signalAll(children []*child, s syscall.Signal) {
	for _, c := range children {
		signalGroup(c.cmd, s)
	}
}
