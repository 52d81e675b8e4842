package coordination

// This file starts the store of a job in process 0, by a function that package embedded registers.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync/atomic"

	"github.com/gospmd/gospmd/internal/build"
	"github.com/gospmd/gospmd/runtime/coordination/jobtls"
)

// StoreOptions describe the store that process 0 starts.
type StoreOptions struct {
	Address     string              // the address where the store listens
	Processes   int                 // the number of processes of the job
	Credentials *jobtls.Credentials // nil without any
	Logger      *slog.Logger
}

// StartStore starts a store, which runs until it is closed.
type StartStore func(ctx context.Context, o StoreOptions) (io.Closer, error)

var startStore atomic.Pointer[StartStore]

// RegisterStore registers the function that starts a store. Process 0 then starts the store of its
// job, unless Options name a store that already runs. Package embedded calls it.
func RegisterStore(start StartStore) { startStore.Store(&start) }

// embeds reports whether this process runs the store of its job.
func (o Options) embeds() bool {
	return o.ProcessID == 0 && o.Endpoints == "" && startStore.Load() != nil
}

// startStore starts the store of the job if this process runs it, and sets s.store. Otherwise it
// does nothing. The error tells what else may use the address.
func (s *Service) startStore(ctx context.Context) error {
	o := s.options
	if !o.embeds() {
		return nil
	}
	store, err := (*startStore.Load())(ctx, StoreOptions{Address: o.Address, Processes: o.NumProcesses, Credentials: s.credentials, Logger: o.Logger})
	if err == nil {
		s.store = store
		return nil
	}
	if ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
		return err
	}
	return fmt.Errorf("process 0 (%s) cannot run the store of the job: %w; see that no other process of the job has the id 0, "+
		"and if a coordinator runs at %s already, let %s name it", o.Name, err, o.Address, VariableCoordinator)
}

// howToStart returns a text for messages that says how to start a coordinator at the address.
func (o Options) howToStart() string {
	switch {
	case o.Endpoints != "":
		return "see that it runs, that the address is right, and that its machine lets others connect to that port"
	case startStore.Load() != nil:
		return "process 0 runs it: see that it is started with that address, and that its machine lets others connect to that port"
	}
	return fmt.Sprintf("start one there, with gospmd coordinator -address %s, or let process 0 be it, with import _ %q in the program",
		o.Address, build.ModulePath+"/runtime/coordination/embedded")
}
