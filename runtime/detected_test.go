package runtime_test

// This file tests which job Options.Detect finds in the environment.

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/runtime/coordination"
)

func TestDetected(t *testing.T) {
	job := map[string]string{coordination.VariableCoordinator: "host:1", coordination.VariableNumProcesses: "3", coordination.VariableProcessID: "2"}
	for _, tc := range []struct {
		name      string
		o         runtime.Options
		env       map[string]string
		want      runtime.Options
		wantError string
	}{
		{name: "no job", o: runtime.Options{Devices: 4}, want: runtime.Options{Devices: 4}},
		{name: "a job", o: runtime.Options{Devices: 4}, env: job, want: runtime.Options{Devices: 4, Endpoints: "host:1", NumProcesses: 3, ProcessID: 2}},
		{name: "of one process", env: map[string]string{coordination.VariableNumProcesses: "1"}},
		{name: "named by the options", o: runtime.Options{NumProcesses: 1}, env: job, want: runtime.Options{NumProcesses: 1}},
		{name: "malformed", env: map[string]string{coordination.VariableNumProcesses: "x"}, wantError: coordination.VariableNumProcesses},
	} {
		got, err := tc.o.Detect(func(name string) string { return tc.env[name] })
		if tc.wantError != "" {
			require.ErrorContains(t, err, tc.wantError, tc.name)
			continue
		}
		require.NoError(t, err, tc.name)
		require.Equal(t, tc.want, got, tc.name)
	}
}
