package coordination

import (
	"github.com/gospmd/gospmd/runtime/coordination/internal/schema"
)

// SetVersion makes this process one of another build of the module.
func SetVersion(v string) { version = func() string { return v } }

// SetHostsFile makes Detect read another file than /etc/hosts.
func SetHostsFile(name string) { hostsFile = name }

// Apply notes a key of the status of a job of that size, and returns what the processes'
// ranks and names then are, and the failure that it says.
func Apply(size int, joined []int, kind, rest string, value []byte) (describe string, failure *ProcessError) {
	s := &Service{options: Options{NumProcesses: size, Lease: defaultLease, Name: "self"}, keys: schema.JobOf("test").Epoch(1), members: newMembers(size)}
	s.beat.Store(int64(s.now()))
	for _, rank := range joined {
		s.members.set(rank, present, "joined")
	}
	failure = s.apply(s.keys.Status()+kind+rest, value)
	return s.members.describe([]int{0, size - 1}), failure
}

// LeavingRanks returns which processes a process 0 with the store waits for when the
// processes are in these states: "present", "leaving", "left", "gone".
func LeavingRanks(states ...string) []int {
	number := map[string]state{"present": present, "leaving": leaving, "left": left, "gone": gone}
	s := &Service{options: Options{NumProcesses: len(states)}, members: newMembers(len(states))}
	for rank, is := range states {
		s.members.set(rank, number[is], "")
	}
	ranks, _ := s.stayingRanks()
	return ranks
}
