// Package hardware holds the figures of accelerators, by name: FLOPs per second, memory and links,
// and how the devices of a target are joined.
//
// It opens no device: package runtime does. It estimates no program: package compile/cost does,
// with a Machine for a Target and a mesh.
//
// Order of use: ParseTarget, then Devices and the Chip's figures.
//
//	file          what it holds
//	platforms.go  the names of platforms
//	chip.go       Chip and Link: the figures of a device
//	tpus.go       the figures of TPUs, with their sources
//	gpus.go       the figures of GPUs, with their sources
//	target.go     Target: a number of chips and their shape, read from names such as "v5e:2x4" and "h100:8"
//	kind.go       Of: the target that present devices form, from the name that PJRT gives them
//	torus.go      Torus: the shapes that TPUs can have; Level: how the devices of a target are joined
package hardware
