package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// The generated files in the repository are those that the tables give now.
func TestGeneratedFilesAreFresh(t *testing.T) {
	const dir = "../.."
	kinds, err := kindNames(dir)
	require.NoError(t, err)
	for _, f := range files {
		want, err := f.text(kinds)
		require.NoError(t, err)
		got, err := os.ReadFile(filepath.Join(dir, f.path))
		require.NoError(t, err)
		require.Equal(t, string(want), string(got), "%s is stale: run go generate ./ir", f.path)
	}
}

func TestPosition(t *testing.T) {
	x, xs := arg{name: "x"}, arg{name: "x", list: true}
	for _, tc := range []struct {
		args []arg
		want []string
	}{
		{[]arg{x, x, x}, []string{"[0]", "[1]", "[2]"}},
		{[]arg{x, xs}, []string{"[0]", "[1:]"}},
		{[]arg{xs, xs}, []string{"[:(len(o.Operands)-0)/2]", "[0+(len(o.Operands)-0)/2:]"}},
		{[]arg{xs, x, xs}, []string{"[:(len(o.Operands)-1)/2]", "[(len(o.Operands)-1)/2]", "[1+(len(o.Operands)-1)/2:]"}},
	} {
		for i, want := range tc.want {
			require.Equal(t, want, position(tc.args, i))
		}
	}
}

func TestCamel(t *testing.T) {
	for name, want := range map[string][2]string{
		"dim":                   {"dim", "Dim"},
		"replica_groups":        {"replicaGroups", "ReplicaGroups"},
		"use_global_device_ids": {"useGlobalDeviceIDs", "UseGlobalDeviceIDs"},
		"lhs_dilation":          {"lhsDilation", "LHSDilation"},
	} {
		require.Equal(t, want, [2]string{camel(name, false), camel(name, true)})
	}
}
