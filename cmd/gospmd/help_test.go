package main

// This file tests gospmd help and gospmd version.

import (
	"bytes"
	"encoding/json"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/docs"
)

// gospmd help prints each page, and the flags of each command. No page has the name of a command.
func TestTopics(t *testing.T) {
	list := requireRun(t, "", []string{"help"}, nil, "")
	for _, topic := range docs.Topics() {
		require.Contains(t, list, topic.Name)
		page, err := docs.Page(topic.Name)
		require.NoError(t, err)
		require.Equal(t, page, requireRun(t, "", []string{"help", topic.Name}, nil, ""))
	}
	for _, c := range commands() {
		requireRun(t, "", []string{"help", c.name}, []string{"usage: gospmd " + c.name}, "")
	}
	requireRun(t, "", []string{"help", "layuots"}, nil, `help: there is no topic "layuots" (did you mean "layouts"?)`)
	requireRun(t, "", []string{"help", "layouts", "meshes"}, nil, "got 2 topics")
}

func TestVersion(t *testing.T) {
	requireRun(t, "", []string{"version"}, []string{"gospmd ", "built by", runtime.Version()}, "")
	requireRun(t, "", []string{"version", "now"}, nil, "want flags only")
	var got buildVersion
	require.NoError(t, json.Unmarshal([]byte(requireRun(t, "", []string{"version", "-json"}, nil, "")), &got))
	require.Equal(t, runtime.Version(), got.Go)
	if runtime.GOOS == "linux" && runtime.GOARCH == "amd64" {
		require.Len(t, got.Plugins, 3)
		require.NotEmpty(t, got.Plugins[0].Version)
	}
}

// A binary prints its release, or the revision of the checkout that it was built from.
func TestVersionOfBuild(t *testing.T) {
	for _, tc := range []struct {
		name string
		info debug.BuildInfo
		want string
		not  string
	}{
		{"a release", debug.BuildInfo{Main: debug.Module{Version: "v0.1.0"}}, "gospmd    v0.1.0\n", "revision"},
		{"a checkout", debug.BuildInfo{Main: debug.Module{Version: "(devel)"}, Settings: []debug.BuildSetting{
			{Key: "vcs.revision", Value: "cb2f2ee"}, {Key: "vcs.time", Value: "2026-11-24T20:00:00Z"}, {Key: "vcs.modified", Value: "false"},
		}}, "revision  cb2f2ee of 2026-11-24T20:00:00Z\n", "changes"},
		{"a changed checkout", debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "cb2f2ee"}, {Key: "vcs.modified", Value: "true"}}},
			"and uncommitted changes\n", "v0"},
		{"nothing", debug.BuildInfo{}, "gospmd    unknown\n", "revision"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var out bytes.Buffer
			require.NoError(t, printParts(&out, nil, []part{{"version", versionOf(&tc.info)}}, false))
			require.Contains(t, out.String(), tc.want)
			require.NotContains(t, out.String(), tc.not)
		})
	}
}
