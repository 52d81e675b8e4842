// Package mesh defines DeviceMesh, a named grid of devices, and what follows from it: sub-axes,
// coordinates, replica groups.
//
// It does not know tensors: package layout says how they are sharded on a mesh. It does not know
// real devices either: a mesh holds device ids, and package runtime knows what they stand for.
//
// Order of use: New or Parse, then FullAxes or AxisRef to name axes, AxisList to compute with them,
// then Coordinates or ReplicaGroups.
//
// A device is named in two ways: by its position, the row-major index of its coordinates in the
// mesh, and by its id, Devices()[position]. All arithmetic of this package is on positions.
//
//	file         what it holds
//	mesh.go      DeviceMesh, its construction and text; ParseShape; coordinates of devices; replica groups
//	axisref.go   an axis or a part of one: AxisRef by name; SubAxis by number, and its algebra
//	axislist.go  AxisList, the axes that shard a dimension
package mesh
