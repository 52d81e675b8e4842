package main

// This file runs the store of a job of gospmd launch, and makes the credentials of its processes.
// Strangers on the machine can neither read nor change the job.

import (
	"context"
	"fmt"
	"io"

	"github.com/gospmd/gospmd/internal/plainlog"
	"github.com/gospmd/gospmd/internal/tempdir"
	"github.com/gospmd/gospmd/runtime/coordination"
	"github.com/gospmd/gospmd/runtime/coordination/jobtls"
	"github.com/gospmd/gospmd/runtime/coordination/store"
)

// hostedJob is the store of a job, and the data that its processes need to connect to it.
type hostedJob struct {
	store     *store.Store
	authority *jobtls.Authority // nil without TLS
	dir       *tempdir.Dir      // directory of the processes' credentials; nil without TLS
}

// hostJob starts the store of a job of n processes in this process, at a free port of 127.0.0.1,
// with certificates for the processes if tls is true. The store logs to diag.
func hostJob(ctx context.Context, n int, tls bool, diag io.Writer) (_ *hostedJob, err error) {
	h := &hostedJob{}
	defer func() {
		if err != nil {
			h.close()
		}
	}()
	var credentials *jobtls.Credentials
	if tls {
		if h.authority, err = jobtls.New(); err != nil {
			return nil, err
		}
		if credentials, err = h.authority.Coordinator(); err != nil {
			return nil, err
		}
		if h.dir, err = tempdir.Make("gospmd-launch-"); err != nil {
			return nil, err
		}
	}
	h.store, err = store.Start(ctx, store.Options{Address: "127.0.0.1:0", Processes: n, Credentials: credentials, Logger: plainlog.New(diag)})
	return h, err
}

// environ returns the environment variables, NAME=value, that describe the job to process rank of
// n; those of an enclosing job are empty. It writes the process's own credentials into the job's
// directory.
func (h *hostedJob) environ(rank, n int) ([]string, error) {
	var files jobtls.Files
	if h.authority != nil {
		credentials, err := h.authority.Process(rank)
		if err != nil {
			return nil, err
		}
		if files, err = credentials.Write(h.dir.Path(), fmt.Sprintf("rank%d", rank)); err != nil {
			return nil, err
		}
	}
	var environ []string
	for _, v := range []struct{ name, value string }{
		{coordination.VariableCoordinator, h.store.Addr()},
		{coordination.VariableNumProcesses, fmt.Sprint(n)},
		{coordination.VariableProcessID, fmt.Sprint(rank)},
		{coordination.VariableCert, files.Cert},
		{coordination.VariableKey, files.Key},
		{coordination.VariableCA, files.CA},
		// The variables of an enclosing job are removed.
		{coordination.VariableAddress, ""},
		{coordination.VariableJobName, ""},
		{coordination.VariableSecret, ""},
	} {
		environ = append(environ, v.name+"="+v.value)
	}
	return environ, nil
}

// close ends the store, and removes the directory with the credentials of the processes.
func (h *hostedJob) close() {
	if h.store != nil {
		h.store.Close() //nolint:errcheck // the job has ended
	}
	if h.dir != nil {
		h.dir.Remove()
	}
}
