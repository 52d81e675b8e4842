package build_test

import (
	"bytes"
	"os"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/build"
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
		require.Equal(t, tc.want, build.VersionOf(&tc.info, "file"), tc.name)
	}
	require.Regexp(t, `^executable [\w-]{20}/[\w-]{20}/[\w-]{20}/[\w-]{20}$`, build.Version(), "tests have no revision")
}

// Code differs if any module or any compilation option differs. It does not depend on the main
// program, if the go command has fetched all modules.
func TestCodeOf(t *testing.T) {
	fetched := func(change func(*debug.BuildInfo)) string {
		info := &debug.BuildInfo{
			GoVersion: "go1.26.8", Main: debug.Module{Path: "example.com/user", Version: "(devel)"},
			Deps:     []*debug.Module{{Path: "github.com/gospmd/gospmd", Version: "v1.2.3", Sum: "h1:x"}, {Path: "example.com/dep", Version: "v1.0.0", Sum: "h1:y"}},
			Settings: []debug.BuildSetting{{Key: "GOARCH", Value: "amd64"}, {Key: "vcs.revision", Value: "abc"}},
		}
		change(info)
		return build.CodeOf(info, "file")
	}
	same := fetched(func(*debug.BuildInfo) {})
	require.NotEqual(t, "file", same)
	for _, tc := range []struct {
		name   string
		change func(*debug.BuildInfo)
		want   string // same, file, or other
	}{
		{"another revision of the program", func(i *debug.BuildInfo) { i.Settings[1].Value = "def" }, "same"},
		{"another version", func(i *debug.BuildInfo) { i.Deps[0].Version = "v1.2.4" }, "another"},
		{"another version of a dependency", func(i *debug.BuildInfo) { i.Deps[1].Version = "v1.0.1" }, "another"},
		{"another content", func(i *debug.BuildInfo) { i.Deps[1].Sum = "h1:z" }, "another"},
		{"another compiler", func(i *debug.BuildInfo) { i.GoVersion = "go1.26.9" }, "another"},
		{"another architecture", func(i *debug.BuildInfo) { i.Settings[0].Value = "arm64" }, "another"},
		{"another dependency", func(i *debug.BuildInfo) { i.Deps = i.Deps[:1] }, "another"},
		{"a fork", func(i *debug.BuildInfo) {
			i.Deps[1].Replace = &debug.Module{Path: "example.com/fork", Version: "v1.0.0", Sum: "h1:y"}
		}, "another"},
		{"a directory", func(i *debug.BuildInfo) { i.Deps[1].Replace = &debug.Module{Path: "../dep"} }, "file"},
		{"a workspace", func(i *debug.BuildInfo) { i.Deps[0].Version, i.Deps[0].Sum = "(devel)", "" }, "file"},
		{"a command of this module", func(i *debug.BuildInfo) { i.Main, i.Deps = *i.Deps[0], i.Deps[1:] }, "file"},
	} {
		got := fetched(tc.change)
		switch tc.want {
		case "same":
			require.Equal(t, same, got, tc.name)
		case "file":
			require.Equal(t, "file", got, tc.name)
		default:
			require.NotContains(t, []string{same, "file"}, got, tc.name)
		}
	}
	require.Equal(t, build.Version(), build.Code(), "tests have no revision")
}

// A file without the go command's note is identified by the hash of its bytes.
func TestIdentify(t *testing.T) {
	self, err := os.ReadFile("/proc/self/exe")
	require.NoError(t, err)
	id, err := build.Identify(bytes.NewReader(self))
	require.NoError(t, err)
	require.Equal(t, build.Code(), "executable "+id)
	redacted := bytes.ReplaceAll(self, []byte(id), []byte("redacted"+strings.Repeat(" ", len(id)-len("redacted"))))
	a, err := build.Identify(bytes.NewReader(redacted))
	require.NoError(t, err)
	require.Regexp(t, "^[0-9a-f]{32}$", a)
	redacted[len(redacted)-1] ^= 1
	b, err := build.Identify(bytes.NewReader(redacted))
	require.NoError(t, err)
	require.NotEqual(t, a, b)
	for n := 0; n < 4096; n += 7 { // a truncated file must not cause a panic
		_, err := build.Identify(bytes.NewReader(self[:n]))
		require.NoError(t, err)
	}
}
