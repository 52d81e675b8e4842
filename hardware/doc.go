// Package hardware knows accelerators by name: what a device computes, holds and
// sends, and how the devices of a target are joined.
//
// It opens no device (package runtime does) and weighs no program (package
// compile/cost does, with a Machine that is made of a Target and a mesh).
//
// Order of use: ParseTarget, then Devices and the Chip's figures.
//
//	file       what it holds
//	chip.go    Chip and Link: the published figures of a device, each with its source
//	target.go  Target: a number of chips and their shape, read from names such as "v5e:2x4" and "h100:8"
package hardware
