package target

// This file defines what compilers cannot do, or do slowly.

// Limit is something that a compiler gets wrong or does slowly. A pass of package compile
// writes programs in another way for the targets that have it.
type Limit int

const (
	// None is what every target has.
	None Limit = iota
	// AddedIndices: of a slice of a slice it makes one, whose index is the sum of both, and forgets
	// that the first was to be clamped. It aborts over gathers from shards by small integers.
	AddedIndices
	// NegativePadding: it reads beyond the operand of a convolution whose padding is negative.
	NegativePadding
	// TakesForGroups: it takes a dilated dimension of a convolution for one of groups, and aborts.
	TakesForGroups
	// MissingElements: it lacks some ops on some element types, gets them wrong, or ends the
	// process over them.
	MissingElements
	// FoldsDivisions: it divides integers that it knows by zero, which ends the process.
	FoldsDivisions
	// SlowStridedProducts: in each step of a loop, it copies the operands that a product reads
	// across their rows.
	SlowStridedProducts
	// SlowMaxGradients: it scatters the gradient of a max pooling by arrays of indices.
	SlowMaxGradients
	// SlowSmallImages: it computes a convolution by single products where the kernel is larger
	// than the images.
	SlowSmallImages
	// SlowColumnSums: it reduces column by column, in loops that are not vectorized.
	SlowColumnSums
)

// costsOnly is the first of the limits that cost time only.
const costsOnly = SlowStridedProducts

// CostsOnly reports whether programs are right without a pass for the limit.
func (l Limit) CostsOnly() bool { return l >= costsOnly }
