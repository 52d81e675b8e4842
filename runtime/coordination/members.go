package coordination

// This file implements what a process knows of the members of its job, and the keys of the store.

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// jobKey holds the record of the job that is open.
const jobKey = "gospmd/job"

// keys are the names of what is in the store. All are below the epoch, so that a
// process of an earlier job at the same address writes where nobody reads.
type keys string

func keysOf(epoch uint64) keys { return keys(fmt.Sprintf("gospmd/%d/", epoch)) }

func (k keys) id(rank int) string         { return fmt.Sprintf("%sid/%d", k, rank) }
func (k keys) complete() string           { return string(k) + "complete" }
func (k keys) value(key string) string    { return string(k) + "value/" + key }
func (k keys) exchange(key string) string { return string(k) + "exchange/" + key + "/" }

// What all processes follow is below status.
func (k keys) status() string         { return string(k) + "status/" }
func (k keys) member(rank int) string { return fmt.Sprintf("%smember/%d", k.status(), rank) } // while it has a lease
func (k keys) left(rank int) string   { return fmt.Sprintf("%sleft/%d", k.status(), rank) }
func (k keys) failed(rank int) string { return fmt.Sprintf("%sfailed/%d", k.status(), rank) }

func encode(record any) string {
	text, err := json.Marshal(record)
	if err != nil {
		panic("BUG: coordination: " + err.Error())
	}
	return string(text)
}

// state is where a process is in the life of a job.
type state int

const (
	absent  state = iota // not yet joined
	present              // a member
	leaving              // ended in order: calls nothing any more
	left                 // and has given up its lease
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

func (m *members) name(rank int) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.names[rank]
}

// set notes what became of a process and returns what was known of it.
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

// in returns the processes in one of the states, and a channel that is closed when
// that may change.
func (m *members) in(states ...state) (ranks []int, changed <-chan struct{}) {
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

// fail makes e the failure of the job unless it has one.
func (m *members) fail(e ProcessError) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.failure == nil {
		m.failure = &e
		close(m.failed)
	}
}

// describe names processes in a sentence.
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

// apply notes what a key below status says. It returns the failure of the job if
// that is what it says. value is nil if the key was deleted.
func (s *Service) apply(key string, value []byte) *ProcessError {
	what, number, _ := strings.Cut(strings.TrimPrefix(key, s.keys.status()), "/")
	rank, err := strconv.Atoi(number)
	if err != nil {
		panic("BUG: coordination: key " + key)
	}
	switch {
	case what == "failed" && value != nil:
		var e ProcessError
		if err := json.Unmarshal(value, &e); err != nil {
			e = ProcessError{Rank: rank, Why: "failed with a message that cannot be read"}
		}
		return &e
	case what == "left":
		s.members.set(rank, leaving, "")
	case what == "member" && value != nil:
		s.members.set(rank, present, string(value))
	case what == "member":
		if s.members.set(rank, gone, "") == leaving {
			s.members.set(rank, left, "")
			return nil
		}
		if rank == s.Rank() || s.paused() > s.options.Lease/2 { // what is seen of others is our own doing
			e := s.fenced()
			return &e
		}
		return &ProcessError{Rank: rank, Name: s.members.name(rank), Why: fmt.Sprintf("is lost: it has not answered for %v; see its own output for why, and start the job again", s.options.Lease)}
	}
	return nil
}
