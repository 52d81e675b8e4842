package sdy_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/sdy"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// Equal meshes are common, and the first of them is returned; other meshes are not.
func TestCommonMesh(t *testing.T) {
	on := func(text string) *layout.Sharding { return layout.Replicated(mesh.MustParse(text), 1) }
	a, same, other := on("x=2,y=2"), on("x=2,y=2"), on("x=4")
	require.NotSame(t, a.Mesh, same.Mesh)
	require.Same(t, a.Mesh, sdy.CommonMesh([]*layout.Sharding{nil, a, same}))
	require.Nil(t, sdy.CommonMesh([]*layout.Sharding{a, other}))
	require.Nil(t, sdy.CommonMesh([]*layout.Sharding{nil}))
}
