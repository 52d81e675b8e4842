//go:build cgo

package pjrtkv_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/gomlx/go-xla/pjrt"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/runtime/pjrtapi"
	"github.com/gospmd/gospmd/runtime/pjrtkv"
	"github.com/gospmd/gospmd/runtime/plugin"
)

// These environment variables make the test program load the CUDA plugin. A process can load one
// plugin only, and this plugin may end its process.
const (
	cudaChild  = "PJRTKV_TEST_CUDA"
	cudaOption = "PJRTKV_TEST_OPTION" // the name of one more option
)

// tryCUDA makes a client of the CUDA plugin at path, as process 0 of 2, with option set to 1 unless
// it is empty. It prints the plugin's error, if any.
func tryCUDA(path, option string) {
	p, err := pjrtapi.Load(path)
	if err != nil {
		fmt.Println("not loaded:", err)
		return
	}
	options := pjrt.NamedValuesMap{}
	if option != "" {
		options[option] = int64(1)
	}
	if _, err := pjrtkv.NewClient(p, options, lost{}, 0, 2); err != nil {
		fmt.Println("no client:", err)
		return
	}
	fmt.Println("a client")
}

// XLA's plugin for CUDA accepts the options for several processes. Without a GPU it makes no
// client, but it checks the options first.
func TestCUDA(t *testing.T) {
	path, err := plugin.Locate(plugin.Options{Platform: "cuda"})
	if errors.Is(err, plugin.ErrMissing) {
		needs.Plugin(t, "cuda", err)
	}
	require.NoError(t, err)
	say := func(option string) string {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), cudaChild+"="+path, cudaOption+"="+option, "TF_CPP_MIN_LOG_LEVEL=2")
		out, err := cmd.Output()
		require.NoError(t, err)
		return strings.TrimSpace(string(out))
	}
	require.Contains(t, say("no_such_option"), "no_such_option")
	text := say("")
	t.Log(text)
	require.NotContains(t, text, "not loaded")
	require.NotContains(t, text, "node_id")
	require.NotContains(t, text, "num_nodes")
}
