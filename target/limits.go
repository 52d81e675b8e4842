package target

// This file lists the limits of compilers: what they get wrong, or do slowly. TestEveryLimit of
// package runtime/aot demands a test for each that fails when its compiler has mended it.

// Limit is something that a compiler gets wrong, or does slowly. For targets with the limit, a pass
// of package compile writes programs in another way.
type Limit int

const (
	// None is a limit that every target has: passes that always run name it.
	None Limit = iota
	// AddedIndices: the compiler replaces a slice of a slice by one slice, and adds the two indices
	// without clamping the first one. It aborts on gathers from shards whose indices are small
	// integers.
	AddedIndices
	// NegativePadding: if the padding of a convolution is negative, the compiler reads beyond the
	// operand.
	NegativePadding
	// TakesForGroups: the compiler takes a dilated dimension of a convolution for a dimension of
	// groups, and aborts.
	TakesForGroups
	// MissingElements: the compiler does not have some ops for some element types, computes them
	// wrongly, or aborts on them.
	MissingElements
	// FoldsDivisions: the compiler computes integer divisions of constants, and aborts if the
	// divisor is zero.
	FoldsDivisions
	// UnitDimensions: the compiler refuses some reduce_scatters of arrays with dimensions of size 1,
	// such as the gradients of kernels of 1x1 convolutions.
	UnitDimensions
	// DropsBarriers: the compiler removes optimization barriers before it merges equal ops. What is
	// to be computed again is then kept in memory.
	DropsBarriers
	// SlowStridedProducts: in each step of a loop, the compiler copies operands that a product
	// reads across their rows. The library that XLA calls copies them, so the compiled program does
	// not show it. Only the time does:
	//
	//	go test ./compile -run '^$' -bench Turn
	SlowStridedProducts
	// SlowMaxGradients: the compiler computes the gradient of a max pooling by a scatter with
	// arrays of indices.
	SlowMaxGradients
	// SlowSmallImages: if the kernel of a convolution is larger than the images, the compiler
	// computes the convolution by single products.
	SlowSmallImages
	// SlowLoopedConvolutions: inside of loops, the compiler computes a convolution by single
	// products, unless the dimensions of its tensors are in one certain order.
	SlowLoopedConvolutions
	// SlowColumnSums: the compiler sums column by column, in loops that are not vectorized.
	SlowColumnSums
	// SummedInLoops: a product that a loop adds to a sum is computed in the loop, in each iteration,
	// although arrays hold its operands of all iterations. The compiler exchanges them or parts of
	// it between devices each time, and may copy the arrays in the loop.
	SummedInLoops
	// SumsForScatters: in place of a reduce_scatter over all devices, the compiler sums over them,
	// and takes a slice of the sum.
	SumsForScatters
	// PadsChannels: the compiler stores the operand of a convolution such that a few channels take
	// the memory of many.
	PadsChannels
	// FusesOperands: the compiler computes the last cheap ops of a product's operand inside of the
	// product, even where their result is needed in memory as well.
	FusesOperands
)

// costsOnly is the first of the limits that cost only time.
const costsOnly = SlowStridedProducts

// CostsOnly reports whether programs are right without the pass for the limit, only slower.
func (l Limit) CostsOnly() bool { return l >= costsOnly }
