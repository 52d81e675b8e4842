package coordination

// This file records what a process knows of the members of its job.

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/gospmd/gospmd/runtime/coordination/internal/schema"
)

func encode(record any) string {
	text, err := json.Marshal(record)
	if err != nil {
		panic("BUG: coordination: " + err.Error())
	}
	return string(text)
}

// state is the state of a member of a job.
type state int

const (
	absent  state = iota // not yet joined
	present              // a member
	leaving              // has ended in order: it makes no more calls
	left                 // has ended in order and given up its lease
	gone                 // lost
)

type members struct {
	mu      sync.Mutex
	names   []string
	states  []state
	changed chan struct{} // closed and replaced when a state changes
	failed  chan struct{} // closed when the job has failed, after failure was set
	failure *ProcessError
}

func newMembers(n int) *members {
	return &members{names: make([]string, n), states: make([]state, n), changed: make(chan struct{}), failed: make(chan struct{})}
}

// name returns the name of a process, "" if it is not known.
func (m *members) name(rank int) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if rank < 0 || rank >= len(m.names) {
		return ""
	}
	return m.names[rank]
}

// set sets the state of a process, and its name if that is not empty, and tells those that wait for
// a change. It returns the state before.
func (m *members) set(rank int, now state, name string) (before state) {
	m.mu.Lock()
	defer m.mu.Unlock()
	before = m.states[rank]
	m.states[rank] = now
	if name != "" {
		m.names[rank] = name
	}
	close(m.changed)
	m.changed = make(chan struct{})
	return before
}

// ranksIn returns the ranks of the processes in one of the states, in ascending order, and a
// channel that is closed when that may change.
func (m *members) ranksIn(states ...state) (ranks []int, changed <-chan struct{}) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for rank, is := range m.states {
		for _, wanted := range states {
			if is == wanted {
				ranks = append(ranks, rank)
			}
		}
	}
	return ranks, m.changed
}

// fail sets the failure of the job to e, unless it is already set.
func (m *members) fail(e ProcessError) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.failure == nil {
		m.failure = &e
		close(m.failed)
	}
}

// describe returns the numbers of the ranks as text, each with its name if it is known, separated
// by commas: process 1 (host:42).
func (m *members) describe(ranks []int) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var text []string
	for _, rank := range ranks {
		one := fmt.Sprintf("process %d", rank)
		if m.names[rank] != "" {
			one += " (" + m.names[rank] + ")"
		}
		text = append(text, one)
	}
	return strings.Join(text, ", ")
}

// apply updates the members from a key below the status of the job. value is nil if the key was
// deleted. apply returns the failure of the job if the key says one, else nil. It ignores keys that
// no process of the job writes.
func (s *Service) apply(key string, value []byte) *ProcessError {
	kind, rank, ok := s.keys.ReadStatus(key)
	switch {
	case !ok:
	case kind == schema.Failed:
		return s.applyFailure(rank, value)
	case rank >= s.Size():
	case kind == schema.Left && value != nil:
		s.members.set(rank, leaving, "")
	case kind == schema.Member && value != nil:
		s.members.set(rank, present, string(value))
	case kind == schema.Member:
		return s.applyLoss(rank)
	}
	return nil
}

// applyFailure returns the failure in value, which the process rank has written. A process outside
// of the job, which was started with another number of processes, may write a failure while
// processes of the job are missing. Later it is ignored (nil).
func (s *Service) applyFailure(rank int, value []byte) *ProcessError {
	missing, _ := s.members.ranksIn(absent)
	if value == nil || rank >= s.Size() && len(missing) == 0 {
		return nil
	}
	var e ProcessError
	if err := json.Unmarshal(value, &e); err != nil {
		return &ProcessError{Rank: rank, Name: s.members.name(rank), Why: "failed with a message that cannot be read"}
	}
	if e.Rank < Coordinator || e.Rank >= s.Size() {
		e.Rank = rank
	}
	return &e
}

// applyLoss records that the lease of a process has ended. It returns the failure of the job,
// unless the process has left in order. If this process is the one, or has not run for a while, the
// failure is that of this process.
func (s *Service) applyLoss(rank int) *ProcessError {
	if before := s.members.set(rank, gone, ""); before == leaving || before == left {
		s.members.set(rank, left, "")
		return nil
	}
	// This process has not run for a while: others may seem lost only because of that.
	if rank == s.Rank() || s.longestPause() > s.options.Lease/2 {
		e := s.fencedFailure()
		return &e
	}
	return &ProcessError{Rank: rank, Name: s.members.name(rank), Why: fmt.Sprintf("is lost: it has not answered for %v; see its own output for why, and start the job again", s.options.Lease)}
}
