package coordination_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/runtime/coordination"
)

// Keys that no process of the job writes are ignored, and stop no process.
func TestStrayKeys(t *testing.T) {
	for _, tc := range []struct{ kind, rest, value string }{
		{"member", "/99", "stranger"}, {"member", "/-1", "stranger"}, {"member", "/one", "stranger"}, {"member", "", "stranger"}, {"member", "/", "stranger"},
		{"member", "/01", "stranger"}, {"member", "/1/2", "stranger"}, {"member", "/9223372036854775808", "stranger"}, {"left", "/3", ""}, {"", "", "stranger"},
		{"other", "/1", "stranger"}, {"failed", "/one", `{"Rank":1}`}, {"failed", "/99", `{"Rank":1}`},
	} {
		for _, value := range [][]byte{[]byte(tc.value), nil} {
			names, failure := coordination.Apply(3, []int{0, 1, 2}, tc.kind, tc.rest, value)
			require.Nil(t, failure, "%v", tc)
			require.Equal(t, "process 0 (joined), process 2 (joined)", names)
		}
	}
}

// A failure always names a process of the job or the coordinator, even if its record names another
// process: then it names the one that wrote it. So does a record that cannot be read.
func TestStrayFailures(t *testing.T) {
	for _, tc := range []struct {
		value string
		rank  int
		want  string
	}{
		{`{"Rank":2,"Name":"two","Why":"fell"}`, 2, "process 2 (two) fell"},
		{`{"Rank":99,"Why":"fell"}`, 1, "process 1 fell"},
		{`{"Rank":-7,"Why":"fell"}`, 1, "process 1 fell"},
		{`{"Rank":-1,"Why":"is lost"}`, coordination.Coordinator, "the coordinator is lost"},
		{`no JSON`, 1, "process 1 (joined) failed with a message that cannot be read"},
	} {
		_, failure := coordination.Apply(3, []int{0, 1, 2}, "failed", "/1", []byte(tc.value))
		require.NotNil(t, failure, tc.value)
		require.Equal(t, tc.rank, failure.Rank)
		require.Equal(t, tc.want, failure.Error())
	}
}

// FuzzApply applies any key and value. There must be no panic. The rank of a failure must be at
// least Coordinator, and its text must not be empty.
func FuzzApply(f *testing.F) {
	for _, kind := range []string{"member", "left", "failed", "other"} {
		for _, rest := range []string{"/0", "/1", "/99", "/-1", "/one", "", "/1/2"} {
			f.Add(kind, rest, []byte(`{"Rank":1,"Why":"fell"}`), true)
			f.Add(kind, rest, []byte("name"), false)
		}
	}
	f.Fuzz(func(t *testing.T, kind, rest string, value []byte, complete bool) {
		joined := []int{0}
		if complete {
			joined = []int{0, 1, 2}
		}
		for _, v := range [][]byte{value, nil} {
			_, failure := coordination.Apply(3, joined, kind, rest, v)
			if failure != nil {
				require.GreaterOrEqual(t, failure.Rank, coordination.Coordinator)
				require.NotEmpty(t, strings.TrimSpace(failure.Error()))
			}
		}
	})
}

// Process 0 waits in Leave for all processes that are still members, and for no others. It does not
// wait for itself, whatever its own state is.
func TestLeavingRanks(t *testing.T) {
	for _, tc := range []struct {
		states []string
		want   []int
	}{
		{[]string{"leaving", "present", "leaving"}, []int{1, 2}},
		{[]string{"left", "present"}, []int{1}},
		{[]string{"gone", "present", "left"}, []int{1}},
		{[]string{"left", "left"}, nil},
		{[]string{"leaving", "gone"}, nil},
		{[]string{"left"}, nil},
	} {
		require.ElementsMatch(t, tc.want, coordination.LeavingRanks(tc.states...), "%v", tc.states)
	}
}
