package main

// This file implements gospmd coordinator, which runs the store of a job as a program of its own.
// It is for jobs whose processes a cluster scheduler starts, instead of gospmd launch.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/gospmd/gospmd/internal/plainlog"
	"github.com/gospmd/gospmd/runtime/coordination"
	"github.com/gospmd/gospmd/runtime/coordination/jobtls"
	"github.com/gospmd/gospmd/runtime/coordination/store"
)

// coordinator is one call of gospmd coordinator: what its flags set.
type coordinator struct {
	address, secret string
	files           jobtls.Files
	processes       int
}

// runCoordinator is the command coordinator: it runs a store for jobs at the address of the flags
// in args, prints the address to out, and returns when a signal ends it. A store that fails is an
// error.
func runCoordinator(args []string, _ io.Reader, out, diag io.Writer) error {
	var c coordinator
	fs := newFlags("coordinator", "Holds what the processes of a job tell each other, apart from all of them, until SIGTERM or Ctrl-C. Give the processes the address in "+
		coordination.VariableCoordinator+".\nTheir credentials are the coordinator's: the same "+coordination.VariableSecret+
		" (at least 32 random characters, such as "+jobtls.HowToMakeSecret+" prints),\nor certificates of one CA. A coordinator may serve one job after another, and several with names of their own ("+coordination.VariableJobName+").", diag,
		"-address 10.0.0.1:55527 -n 4", "-address 0.0.0.0:55527 -secret /run/secrets/job")
	fs.arguments, fs.files = "", ""
	fs.StringVar(&c.address, "address", "127.0.0.1:55527", "the host:port to listen at; port 0 is one that is free")
	fs.IntVar(&c.processes, "n", 0, "the number of processes of a job; 0 for any")
	fs.StringVar(&c.secret, "secret", "", "a `file` with the secret of the job; by default the variable "+coordination.VariableSecret+" has it")
	fs.StringVar(&c.files.Cert, "cert", "", "a PEM `file` with the coordinator's certificate; by default "+coordination.VariableCert+" names it")
	fs.StringVar(&c.files.Key, "key", "", "a PEM `file` with its key; by default "+coordination.VariableKey+" names it")
	fs.StringVar(&c.files.CA, "ca", "", "a PEM `file` with the CA of the job; by default "+coordination.VariableCA+" names it")
	if err := fs.Parse(args); err != nil {
		return fs.explain(err)
	}
	switch {
	case fs.NArg() > 0:
		return fmt.Errorf("coordinator: got the argument %q, want flags only", fs.Arg(0))
	case c.processes < 0:
		return fmt.Errorf("coordinator: -n is %d, want the number of processes of a job, or 0 for any", c.processes)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := c.serve(ctx, out, diag); err != nil {
		return fmt.Errorf("coordinator: %w", err)
	}
	return nil
}

// serve runs the store until ctx is done, and prints to out where it listens. Wrong credentials,
// and a store that does not start or fails, are errors.
func (c *coordinator) serve(ctx context.Context, out, diag io.Writer) error {
	credentials, err := c.credentials(os.Getenv)
	if err != nil {
		return err
	}
	s, err := store.Start(ctx, store.Options{Address: c.address, Processes: c.processes, Credentials: credentials, Logger: plainlog.New(diag)})
	if err != nil {
		return err
	}
	defer s.Close()
	fmt.Fprintf(out, "listening at %s\n", s.Addr())
	select {
	case <-ctx.Done():
		return nil
	case err := <-s.Failed():
		return err
	}
}

// credentials returns the TLS credentials of the coordinator: from the flags' secret or
// certificates or, without these, from the environment, which env reads. nil means that there are
// none. A secret beside certificates is an error.
func (c *coordinator) credentials(env func(string) string) (*jobtls.Credentials, error) {
	secret := ""
	if c.secret != "" {
		text, err := os.ReadFile(c.secret)
		if err != nil {
			return nil, fmt.Errorf("-secret: %w", err)
		}
		secret = strings.TrimSpace(string(text))
	}
	files := c.files
	if secret == "" && files == (jobtls.Files{}) {
		secret = env(coordination.VariableSecret)
		files = jobtls.Files{Cert: env(coordination.VariableCert), Key: env(coordination.VariableKey), CA: env(coordination.VariableCA)}
	}
	switch {
	case secret != "" && files != (jobtls.Files{}):
		return nil, errors.New("there are certificates and a secret: give one of them")
	case secret != "":
		a, err := jobtls.FromSecret(secret)
		if err != nil {
			return nil, err
		}
		return a.Coordinator()
	case files == (jobtls.Files{}):
		return nil, nil
	case files.Cert == "" || files.Key == "" || files.CA == "":
		return nil, fmt.Errorf("TLS needs a certificate, its key and the CA's certificate, got %q, %q and %q: give all three or none", files.Cert, files.Key, files.CA)
	}
	return jobtls.Load(files.Cert, files.Key, files.CA)
}
