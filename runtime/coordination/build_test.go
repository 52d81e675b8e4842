package coordination_test

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/runtime/coordination"
)

func TestVersionOf(t *testing.T) {
	const path = "github.com/gospmd/gospmd"
	user := debug.Module{Path: "example.com/user", Version: "(devel)"}
	vcs := func(revision, modified string) []debug.BuildSetting {
		return []debug.BuildSetting{{Key: "vcs.revision", Value: revision}, {Key: "vcs.modified", Value: modified}}
	}
	for _, tc := range []struct {
		name string
		info debug.BuildInfo
		want string
	}{
		{"a release", debug.BuildInfo{Main: user, Deps: []*debug.Module{{Path: path, Version: "v1.2.3", Sum: "h1:x"}}}, "v1.2.3"},
		{"a release below a changed program", debug.BuildInfo{Main: user, Settings: vcs("abc", "true"), Deps: []*debug.Module{{Path: path, Version: "v1.2.3", Sum: "h1:x"}}}, "v1.2.3"},
		{"an installed command", debug.BuildInfo{Main: debug.Module{Path: path, Version: "v1.2.3", Sum: "h1:x"}}, "v1.2.3"},
		{"a clean checkout", debug.BuildInfo{Main: debug.Module{Path: path, Version: "(devel)"}, Settings: vcs("abc", "false")}, "revision abc"},
		{"a changed checkout", debug.BuildInfo{Main: debug.Module{Path: path, Version: "v0.0.0-2026+dirty"}, Settings: vcs("abc", "true")}, "file"},
		{"go run", debug.BuildInfo{Main: debug.Module{Path: path, Version: "(devel)"}}, "file"},
		{"replaced by a directory", debug.BuildInfo{Main: user, Settings: vcs("abc", "false"), Deps: []*debug.Module{{Path: path, Version: "v1.2.3", Sum: "h1:x", Replace: &debug.Module{Path: "../gospmd"}}}}, "file"},
		{"replaced by a fork", debug.BuildInfo{Main: user, Deps: []*debug.Module{{Path: path, Version: "v1.2.3", Replace: &debug.Module{Path: "example.com/fork", Version: "v1.2.4", Sum: "h1:y"}}}}, "v1.2.4"},
	} {
		require.Equal(t, tc.want, coordination.VersionOf(&tc.info, "file"), tc.name)
	}
	require.Regexp(t, "^executable [0-9a-f]{16}$", coordination.Version(), "tests have no revision")
}
