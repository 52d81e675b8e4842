package coordination

import (
	"github.com/gospmd/gospmd/runtime/coordination/internal/schema"
)

// SetVersion makes this process claim another build of the module.
func SetVersion(v string) { version = func() string { return v } }

// SetHostsFile makes Detect read another file than /etc/hosts.
func SetHostsFile(name string) { hostsFile = name }

// Apply applies the key kind+rest below the status of a job of the given size, with its value (nil:
// it was deleted). The ranks in joined are members before. It returns the ranks and names of the
// first and the last process afterwards, and the failure if the key says one, else nil.
func Apply(size int, joined []int, kind, rest string, value []byte) (describe string, failure *ProcessError) {
	s := &Service{options: Options{NumProcesses: size, Lease: defaultLease, Name: "self"}, keys: schema.JobOf("test").Epoch(1), members: newMembers(size)}
	s.beat.Store(int64(s.now()))
	for _, rank := range joined {
		s.members.set(rank, present, "joined")
	}
	failure = s.apply(s.keys.Status()+kind+rest, value)
	return s.members.describe([]int{0, size - 1}), failure
}

// LeavingRanks returns the ranks that Leave of process 0 waits for, if process 0 has the store. The
// states are "present", "leaving", "left" and "gone".
func LeavingRanks(states ...string) []int {
	number := map[string]state{"present": present, "leaving": leaving, "left": left, "gone": gone}
	s := &Service{options: Options{NumProcesses: len(states)}, members: newMembers(len(states))}
	for rank, is := range states {
		s.members.set(rank, number[is], "")
	}
	ranks, _ := s.stayingRanks()
	return ranks
}
