// Package agree lets the processes of a job take a step together: an error of one is an error of
// all, so that no process goes on and waits for the failed ones.
//
// It only exchanges values and errors: the job connects the processes and notices lost ones.
//
//	values, err := agree.On(ctx, job, "saving 3", token, err)
//
//	file      what it holds
//	agree.go  Job, On, PeerError
package agree

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// Job is a group of processes that run the same program. Exchange gives each process the values of
// all, by rank. *runtime.Client implements it.
type Job interface {
	ProcessIndex() int
	ProcessCount() int
	// Exchange returns the values of all processes under one name, by process. It waits for all of
	// them. It is an error if a process is lost. Exchanges of one name must have the same order in
	// all processes.
	Exchange(ctx context.Context, name string, value []byte) ([][]byte, error)
}

// message is what a process sends to the others in an exchange: its value, or the text of its
// error.
type message struct {
	Value []byte `json:"value,omitempty"`
	Error string `json:"error,omitempty"`
}

// PeerError is an error that another process has sent.
type PeerError struct {
	Rank int
	Text string
}

// Error returns the text, with the number of the process.
func (e *PeerError) Error() string { return fmt.Sprintf("process %d: %s", e.Rank, e.Text) }

// On exchanges values under a name, and returns the values of all processes, by rank. All processes
// must call it. A process that cannot go on passes its error, and gets it back; the others get it
// as a *PeerError. An error of the exchange, and what another program has sent, are errors too.
func On(ctx context.Context, job Job, name string, value []byte, err error) ([][]byte, error) {
	own := message{Value: value}
	if err != nil {
		own = message{Error: err.Error()}
	}
	text, fault := json.Marshal(own)
	if fault != nil {
		return nil, errors.Join(err, fault)
	}
	all, fault := job.Exchange(ctx, name, text)
	if err != nil {
		return nil, err
	}
	if fault != nil {
		return nil, fault
	}
	values := make([][]byte, len(all))
	for rank, text := range all {
		var m message
		if err := json.Unmarshal(text, &m); err != nil {
			return nil, fmt.Errorf("process %d sent %q under %q: %w: want the same program in all processes", rank, text, name, err)
		}
		if m.Error != "" {
			return nil, &PeerError{rank, m.Error}
		}
		values[rank] = m.Value
	}
	return values, nil
}
