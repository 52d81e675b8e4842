package losses

// This file holds the hinge losses, for labels of -1 and 1.

import g "github.com/gomlx/gomlx/core/graph"

// Hinge is the mean of max(1-yTrue·yPred, 0) over the last dimension. Labels
// that are all 0 or 1 are taken as -1 and 1.
func Hinge() *Loss {
	return plain("hinge", func(yTrue, yPred *g.Node) *g.Node {
		return g.ReduceMean(missing(yTrue, yPred), -1)
	})
}

// SquaredHinge is the mean of max(1-yTrue·yPred, 0)² over the last dimension.
// Labels that are all 0 or 1 are taken as -1 and 1.
func SquaredHinge() *Loss {
	return plain("squared_hinge", func(yTrue, yPred *g.Node) *g.Node {
		m := missing(yTrue, yPred)
		return g.ReduceMean(g.Mul(m, m), -1)
	})
}

// CategoricalHinge is max(1 + the best prediction of a wrong class - that of
// the right one, 0), for one-hot labels.
func CategoricalHinge() *Loss {
	return plain("categorical_hinge", func(yTrue, yPred *g.Node) *g.Node {
		yTrue, yPred = alike(yTrue, yPred)
		right := g.ReduceSum(g.Mul(yTrue, yPred), -1)
		wrong := g.ReduceMax(g.Mul(g.OneMinus(yTrue), yPred), -1)
		return atLeast(g.OnePlus(g.Sub(wrong, right)), 0)
	})
}

// missing returns what is missing to a margin of 1.
func missing(yTrue, yPred *g.Node) *g.Node {
	yTrue, yPred = alike(yTrue, yPred)
	return atLeast(g.OneMinus(g.Mul(signed(yTrue), yPred)), 0)
}

// signed returns labels of 0 and 1 as -1 and 1, and others as they are.
func signed(y *g.Node) *g.Node {
	binary := g.LogicalOr(g.Equal(y, like(y, 0)), g.Equal(y, like(y, 1)))
	others := g.ReduceAllSum(g.Where(binary, like(y, 0), like(y, 1)))
	all := g.Equal(others, g.ZerosLike(others))
	return g.Where(all, g.AddScalar(g.MulScalar(y, 2), -1), y)
}
