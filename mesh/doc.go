// Package mesh defines DeviceMesh, a named grid of devices, and what follows
// from it: sub-axes, coordinates, replica groups.
//
// It knows nothing of tensors (package layout says how they lie on a mesh) and
// nothing of real devices: a mesh holds ids, package runtime what they stand
// for.
//
// Order of use: New or Parse, then FullAxes or AxisRef to name axes, then
// coordinates or ReplicaGroups.
//
// A device is named in two ways: by its position, the row-major index of its
// coordinates in the mesh, and by its id, Devices()[position]. All arithmetic
// here is on positions.
//
//	file             what it holds
//	mesh.go          DeviceMesh, its construction and text
//	shape.go         ParseShape: 2x4
//	axisref.go       AxisRef, an axis or sub-axis; which of them overlap or merge
//	coordinates.go   where a device stands along axes; replica groups
package mesh
