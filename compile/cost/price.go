package cost

// This file sets the prices that make one cost of bytes, arithmetic and
// meetings. RATIONALE.md says where they come from.

// Prices, for whoever weighs one way to run a program against another.
const (
	// FlopsPerByte is how many operations a device does while it sends a byte.
	FlopsPerByte = 160
	// MeetingBytes is what a device could send while a collective waits for its
	// first byte.
	MeetingBytes = 4096
)

// Price is what a device pays, in operations: sending bytes, in a number of
// collectives, counts as the arithmetic it could have done meanwhile.
func Price(bytes, meetings, flops int) int {
	return (bytes+meetings*MeetingBytes)*FlopsPerByte + flops
}
