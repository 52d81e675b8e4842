package mag

// This file invents the graph, and samples it.

import (
	"math/rand/v2"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"

	"github.com/gospmd/gospmd/examples/gomlx/training"
)

// newDataset returns an endless dataset of samples of the graph: the inputs are those of
// modelGraph, the labels the venues of the papers, [batch_size, 1]. It stores the features of all
// papers in a variable of store that is not trained, unless there is one already.
func newDataset(store *model.Store) train.Dataset {
	param := func(name string) int { return model.GetRootParamOr(store, name, 0) }
	papers, authors, venues, width := param("papers"), param("authors"), param("venues"), param("paper_features")
	if store.GetVariable("/papers/features") == nil {
		store.VariableWithValue("/papers/features", features(papers, venues, width)).SetTrainable(false)
	}
	n, a, w, c := param("batch_size"), param("sampled_authors"), param("sampled_papers"), param("sampled_citations")
	return training.Stream{Title: "papers", Make: func(random *rand.Rand) (inputs, labels []*tensors.Tensor) {
		seeds, venue := make([]int32, n), make([]int32, n)
		authorIDs, written, cited := make([]int32, n*a), make([]int32, n*a*w), make([]int32, n*c)
		for i := range seeds {
			seeds[i] = random.Int32N(int32(papers))
			venue[i] = seeds[i] % int32(venues)
			same := func(of int) int32 { // a node of the same venue
				return (venue[i] + int32(venues)*random.Int32N(int32(max(1, of/venues)))) % int32(of)
			}
			fill(authorIDs[i*a:][:a], same, authors)
			fill(written[i*a*w:][:a*w], same, papers)
			fill(cited[i*c:][:c], same, papers)
		}
		return []*tensors.Tensor{
			tensors.FromFlatDataAndDimensions(seeds, n), tensors.FromFlatDataAndDimensions(authorIDs, n, a),
			tensors.FromFlatDataAndDimensions(written, n, a, w), tensors.FromFlatDataAndDimensions(cited, n, c),
			mask(random, n, a), mask(random, n, a, w), mask(random, n, c),
		}, []*tensors.Tensor{tensors.FromFlatDataAndDimensions(venue, n, 1)}
	}}
}

func fill(ids []int32, node func(of int) int32, of int) {
	for i := range ids {
		ids[i] = node(of)
	}
}

// mask returns a tensor of the given dimensions that says which of the sampled edges exist: each
// does with probability 3/4.
func mask(random *rand.Rand, dims ...int) *tensors.Tensor {
	size := 1
	for _, d := range dims {
		size *= d
	}
	flat := make([]bool, size)
	for i := range flat {
		flat[i] = random.IntN(4) > 0
	}
	return tensors.FromFlatDataAndDimensions(flat, dims...)
}

// features returns the features, [papers, width], of all papers, the same in each call. They are
// near those of their venue, which is the number of the paper modulo venues.
func features(papers, venues, width int) *tensors.Tensor {
	random := rand.New(rand.NewPCG(5, 6))
	ofVenue := make([]float32, venues*width)
	for i := range ofVenue {
		ofVenue[i] = float32(random.NormFloat64())
	}
	flat := make([]float32, papers*width)
	for i := range flat {
		flat[i] = ofVenue[i/width%venues*width+i%width] + float32(random.NormFloat64())
	}
	return tensors.FromFlatDataAndDimensions(flat, papers, width)
}
