// Package mag predicts the venues of papers by a graph network, as GoMLX's demo of OGBN-MAG does:
// for each paper it samples authors, other papers of each author, and cited papers. States are
// passed along the sampled edges to the paper.
//
// The graph is invented: papers of one venue have features and authors in common.
//
//	file       what it holds
//	mag.go     the model and its hyperparameters
//	papers.go  the graph and its samples
//	demo/      the command
package mag

import (
	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	//lint:ignore ST1001 GoMLX programs are written so
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/layers"
	"github.com/gomlx/gomlx/ml/layers/activation"
	"github.com/gomlx/gomlx/ml/layers/norm"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/loss"
	"github.com/gomlx/gomlx/ml/train/metric"
	"github.com/gomlx/gomlx/ml/train/optimizer"

	"github.com/gospmd/gospmd/examples/gomlx/training"
)

// Program is the example mag: its model, data, loss and hyperparameters.
var Program = training.Program{
	Name:  "mag",
	Store: newStore,
	Dataset: func(_ compute.Backend, store *model.Store) (train.Dataset, error) {
		return newDataset(store), nil
	},
	Model:  modelGraph,
	Loss:   loss.SparseCategoricalCrossEntropyLogits,
	Metric: func() metric.Interface { return metric.NewSparseCategoricalAccuracy("Accuracy", "#acc") },
}

func newStore() *model.Store {
	store := model.NewStore()
	store.SetParams(map[string]any{
		"papers":                    10000,
		"authors":                   5000,
		"venues":                    349,
		"paper_features":            128,
		"batch_size":                64,
		"sampled_authors":           8,
		"sampled_papers":            8,
		"sampled_citations":         8,
		"state":                     128,
		training.ParamSteps:         2000,
		model.ParamInitialSeed:      int64(42),
		optimizer.ParamOptimizer:    "adam",
		optimizer.ParamLearningRate: 0.001,
		activation.ParamActivation:  "swish",
		layers.ParamDropoutRate:     0.1,
	})
	return store
}

// modelGraph returns, for each paper, a score for each venue. Its inputs are the sampled nodes: the
// papers, their authors, the authors' papers and the cited papers; then the masks of all but the
// papers.
func modelGraph(scope *model.Scope, _ any, inputs []*Node) []*Node {
	seeds, authors, written, cited := inputs[0], inputs[1], inputs[2], inputs[3]
	authorMask, writtenMask, citedMask := inputs[4], inputs[5], inputs[6]
	g, state := seeds.Graph(), model.GetParamOr(scope, "state", 0)
	// frozen, because it is data
	features := scope.Store().GetVariable("/papers/features").NodeValue(g)
	papers := func(ids *Node) *Node { return Gather(features, ExpandAxes(ids, -1)) }

	authorStates := layers.Embedding(scope.In("authors"), authors, dtypes.Float32, model.GetParamOr(scope, "authors", 0), state)
	authorStates = update(scope.In("to_author"), authorStates, poolMessages(scope.In("written"), papers(written), writtenMask, state))
	paperStates := layers.DenseWithBias(scope.In("paper"), papers(seeds), state)
	paperStates = update(scope.In("to_paper"), paperStates,
		poolMessages(scope.In("wrote"), authorStates, authorMask, state),
		poolMessages(scope.In("cites"), papers(cited), citedMask, state))
	paperStates = layers.DropoutFromScope(scope.In("dropout"), paperStates)
	return []*Node{layers.DenseWithBias(scope.In("venue"), paperStates, model.GetParamOr(scope, "venues", 0))}
}

// poolMessages returns the mean of the messages, vectors of state numbers, that nodes send along
// edges: nodes is […, edges, features], mask […, edges], and the result […, state]. Only the edges
// where mask is true count; without any the mean is 0.
func poolMessages(scope *model.Scope, nodes, mask *Node, state int) *Node {
	messages := activation.ApplyFromScope(scope, layers.DenseWithBias(scope, nodes, state))
	weights := ConvertDType(ExpandAxes(mask, -1), messages.DType())
	sum := ReduceSum(Mul(messages, weights), -2)
	return Div(sum, MaxScalar(ReduceSum(weights, -2), 1))
}

// update returns new states of nodes, in the shape of the old ones. It computes them from the old
// states and pooled messages, each with a vector for each node.
func update(scope *model.Scope, states *Node, messages ...*Node) *Node {
	x := Concatenate(append([]*Node{states}, messages...), -1)
	x = activation.ApplyFromScope(scope, layers.DenseWithBias(scope, x, states.Shape().Dim(-1)))
	return norm.LayerNorm(scope.In("norm"), Add(states, x), -1).Done()
}
