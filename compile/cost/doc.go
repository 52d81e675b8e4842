// Package cost says what one run of a per-device module costs each device:
// bytes on the wire, arithmetic, memory. It reads modules of the spmd dialect,
// whose collectives name mesh axes; nothing here depends on how many devices
// there are, and nothing is measured.
//
// It changes no module and decides nothing: the partitioner and the passes of
// package compile ask it, and so do reports and budgets.
//
// Order of use: Sent for one collective, Collectives and Flops for a function,
// Memory for what its values take.
//
// Bytes are whole numbers, sent by the device that sends most, of padded
// shapes: what the pure-Go engine counts when it runs the module.
//
//	file            question it answers
//	sent.go         how many bytes does a collective send?
//	walk.go         how often does an op run?
//	collectives.go  which collectives does a function hold?
//	flops.go        how much arithmetic is an op?
//	memory.go       which values are in memory at the same time?
//	order.go        in which order do ops take less memory?
//	fusion.go       which values are never in memory?
//	price.go        how many flops is a byte worth?
package cost
