package factor_test

// This file tests the projection of shardings onto factors and back.

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/sharding/factor"
)

func parseRule(t *testing.T, text string) *factor.Rule {
	t.Helper()
	r, err := factor.ParseRule(text)
	require.NoError(t, err)
	return r
}

// testMesh is the mesh of all tests in this file.
var testMesh = mesh.MustParse("x=4,y=6,z=2")

func fullAxes(names ...string) []mesh.AxisRef { return mesh.FullAxes(names...) }

// text returns the axes of a factor, on testMesh, as text, followed by + and the overflow if there
// is one.
func text(axes, overflow mesh.AxisList) string {
	write := func(list mesh.AxisList) string {
		var parts []string
		for _, a := range testMesh.Refs(list) {
			parts = append(parts, a.String())
		}
		return strings.Join(parts, ",")
	}
	if len(overflow) == 0 {
		return write(axes)
	}
	return write(axes) + "+" + write(overflow)
}

// Projecting a dimension with several factors gives the axes of each factor, also where the axes
// must be split, and those that overflow, in both fits. Unproject must give the sharding back.
func TestProjectDimension(t *testing.T) {
	for _, tc := range []struct {
		name, rule string
		axes       []mesh.AxisRef
		overflow   string // for each factor, its axes and its overflow
		exact      string
	}{
		{"nothing", "([ij])->([i, j]) {i=4, j=8}", nil, " | ", " | "},
		{"one factor takes all, evenly or not", "([i])->([i]) {i=5}", fullAxes("x", "z"), "x,z", "x,z"},
		{"a part of the major factor", "([ij])->([i, j]) {i=8, j=8}", fullAxes("x"), "x | ", "x | "},
		{"the major factor", "([ij])->([i, j]) {i=4, j=8}", fullAxes("x"), "x | ", "x | "},
		{"both factors", "([ij])->([i, j]) {i=4, j=8}", fullAxes("x", "z"), "x | z", "x | z"},
		{"an axis that is split", "([ij])->([i, j]) {i=2, j=8}", fullAxes("x"), "x:(1)2 | x:(2)2", "x:(1)2 | x:(2)2"},
		{"the last factor unevenly", "([ij])->([i, j]) {i=4, j=9}", fullAxes("x", "z"), "x | z", "x | "},
		{"no common divisor", "([ij])->([i, j]) {i=3, j=8}", fullAxes("x", "z"), "+x,z | ", " | "},
		{"a part that leaves the factor unfilled", "([ij])->([i, j]) {i=10, j=8}", fullAxes("x", "z"), "x:(1)2+x:(2)2,z | ", " | "},
		{"overflow after full axes", "([ij])->([i, j]) {i=12, j=8}", fullAxes("z", "x"), "z,x:(1)2+x:(2)2 | ", "z | "},
		{"three factors", "([ijk])->([i, j, k]) {i=2, j=3, k=4}", fullAxes("y", "x"), "y:(1)2 | y:(2)3 | x", "y:(1)2 | y:(2)3 | x"},
		{"a factor of size 0", "([ij])->([i, j]) {i=0, j=4}", fullAxes("x", "z"), "x,z | ", "x,z | "},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := parseRule(t, tc.rule)
			s := layout.Replicated(testMesh, 1)
			s.Dims[0].Axes = tc.axes
			p := factor.Project(r, testMesh, []*layout.Sharding{s, nil})
			exact := r.Project(r.Operands[0], func(int) mesh.AxisList { return testMesh.AxisList(tc.axes) })
			var got, gotExact []string
			for f := range r.Factors {
				fs := p.Operands()[0].Factors[f]
				got = append(got, text(fs.Axes, fs.Overflow))
				gotExact = append(gotExact, text(exact[f], nil))
				require.True(t, fs.Present && fs.Closed)
				require.Equal(t, f == len(r.Factors)-1, fs.MinorMost)
				require.Equal(t, factor.Sharding{Present: true, MinorMost: true}, p.Results()[0].Factors[f])
			}
			require.Equal(t, tc.overflow, strings.Join(got, " | "))
			require.Equal(t, tc.exact, strings.Join(gotExact, " | "))
			require.Equal(t, s, p.Unproject(0, s), "nothing is lost")
		})
	}
}

// Projecting a tensor handles excluded axes, closed dimensions, nil shardings, and shardings on a
// mesh without axes.
func TestProjectTensors(t *testing.T) {
	r := parseRule(t, "([i, k], [k, j])->([i, j]) {i=8, j=8, k=8} reduction={k}")
	a := layout.Replicated(testMesh, 2)
	a.Dims[0] = layout.DimSharding{Axes: fullAxes("x"), Open: true}
	a.Replicated, a.Unreduced = fullAxes("y"), fullAxes("z")
	empty := layout.Replicated(nil, 2)
	empty.Dims[1].Open = true
	p := factor.Project(r, testMesh, []*layout.Sharding{a, empty, nil})
	require.Equal(t, testMesh.AxisList(fullAxes("y", "z")), p.Tensors[0].Excluded)
	require.False(t, p.Tensors[0].Factors[0].Closed)
	require.True(t, p.Tensors[0].Factors[2].Closed)
	require.False(t, p.Tensors[0].Factors[1].Present, "the factor j is not in the first operand")
	require.True(t, p.Tensors[1].Factors[2].Closed)
	require.False(t, p.Tensors[1].Factors[1].Closed)
	require.Equal(t, a, p.Unproject(0, a))
	p.Tensors[2].Factors[0].Axes = p.Tensors[0].Factors[0].Axes
	require.Equal(t, `[{"x", ?}, {?}]`, p.Unproject(2, nil).String())
	require.Equal(t, 1, r.Operands[0].DimOf(2))
	require.Equal(t, -1, r.Operands[0].DimOf(1))
	require.Equal(t, []int{64, 64, 64}, r.TensorSizes())
}

func TestMergeAndFit(t *testing.T) {
	r := parseRule(t, "([ij])->([i, j]) {i=4, j=6}")
	x, y, z := testMesh.AxisList(fullAxes("x")), testMesh.AxisList(fullAxes("y")), testMesh.AxisList(fullAxes("z"))
	require.Equal(t, factor.AxesPerFactor{x, y}, factor.AxesPerFactor{x, nil}.Merge(factor.AxesPerFactor{z, y}), "what is sharded stays")
	require.Equal(t, factor.AxesPerFactor{x, {}}, factor.AxesPerFactor{x, nil}.Merge(factor.AxesPerFactor{nil, x}), "an axis is used once")
	require.Equal(t, factor.AxesPerFactor{x, y}, factor.AxesPerFactor{x, y}.FitTo(r, nil))
	require.Equal(t, factor.AxesPerFactor{z, nil}, factor.AxesPerFactor{z, y}.FitTo(r, nil), "the major factor is not fully sharded")
	require.Equal(t, factor.AxesPerFactor{nil, nil}, factor.AxesPerFactor{y, x}.FitTo(r, nil), "6 does not divide 4")
	notFirst := func(f int) bool { return f > 0 }
	require.Equal(t, factor.AxesPerFactor{nil, nil}, factor.AxesPerFactor{x, y}.FitTo(r, notFirst), "nor may it be sharded")
	require.True(t, factor.AxesPerFactor{x, y}.Equal(factor.AxesPerFactor{x, y}))
	require.False(t, factor.AxesPerFactor{x, y}.Equal(factor.AxesPerFactor{x, z}))
}

// For random dimensions, projecting and unprojecting returns the same axes with WithOverflow. With
// Exact it returns a prefix, and projecting the prefix again returns all of it. FitTo must keep all
// axes that Exact gives.
func TestRandomRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	sizes := []int{2, 3, 4, 5, 6, 8, 12, 16}
	for range 3_000 {
		n := 1 + rng.IntN(3)
		var names, given []string
		for f := range n {
			names = append(names, factor.Name(f))
			given = append(given, fmt.Sprintf("%s=%d", factor.Name(f), sizes[rng.IntN(len(sizes))]))
		}
		r := parseRule(t, fmt.Sprintf("([%s])->([%s]) {%s}", strings.Join(names, ""), strings.Join(names, ", "), strings.Join(given, ", ")))
		var axes mesh.AxisList
		for _, i := range rng.Perm(len(testMesh.Axes()))[:rng.IntN(4)] {
			a := testMesh.SubAxis(mesh.FullAxis(testMesh.Axes()[i].Name))
			if primes := a.Primes(); rng.IntN(2) == 0 {
				a = primes[rng.IntN(len(primes))]
			}
			axes = append(axes, a)
		}
		s := layout.Replicated(testMesh, 1)
		s.Dims[0].Axes = testMesh.Refs(axes)
		p := factor.Project(r, testMesh, []*layout.Sharding{s, nil})
		require.Equal(t, s, p.Unproject(0, s), "%s %s", r, s)

		a := r.Project(r.Operands[0], func(int) mesh.AxisList { return axes })
		back := r.Unproject(r.Operands[0], a)[0]
		require.True(t, back.IsPrefixOf(axes), "%s %s", r, s)
		require.True(t, a.Equal(a.FitTo(r, nil)), "%s %s: %v", r, s, a)
		require.True(t, slices.Equal(back, r.Unproject(r.Operands[0], r.Project(r.Operands[0], func(int) mesh.AxisList { return back }))[0]))
	}
}
