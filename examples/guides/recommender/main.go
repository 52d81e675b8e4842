// Recommender is the example "Collaborative Filtering for Movie Recommendations": users and movies
// have embeddings, whose product says how much a user would like a movie.
//
//	go run ./examples/guides/recommender [-mesh 2x4]
package main

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/examples/guides/internal/guide"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/ops"
	"github.com/gospmd/gospmd/keras/optimizers"
	"github.com/gospmd/gospmd/keras/regularizers"
)

const samples, validated, numUsers, numMovies = 36, 12, 20, 30

func main() { guide.Main(program) }

var program = &guide.Guide{
	Name: "recommender", Batch: 12, Epochs: 2, Model: model, Data: known, Train: train, Predict: recommend,
	Layout: map[string][]string{".*/embedding/embeddings": {"", "model"}},
}

// RecommenderNet predicts how a user rates a movie, from 0 to 1, from embeddings of both.
type RecommenderNet struct {
	layers.Base
	UserEmbedding, UserBias, MovieEmbedding, MovieBias layers.Layer
}

// NewRecommenderNet returns a RecommenderNet whose embeddings have size numbers.
func NewRecommenderNet(numUsers, numMovies, size int) *RecommenderNet {
	embedding := func(n int) layers.Layer {
		return layers.Embedding(
			n,
			size,
			layers.EmbeddingsInitializer("he_normal"),
			layers.EmbeddingsRegularizer(regularizers.L2(1e-6)),
		)
	}
	return &RecommenderNet{
		UserEmbedding:  embedding(numUsers),
		UserBias:       layers.Embedding(numUsers, 1),
		MovieEmbedding: embedding(numMovies),
		MovieBias:      layers.Embedding(numMovies, 1),
	}
}

// Compute predicts the rating, between 0 and 1, of each row of inputs, [batch, 2]: a user and a
// movie. The result is [batch, 1]. As in Keras' example, the products of embeddings are summed over
// the whole batch, and each row gets this sum.
func (n *RecommenderNet) Compute(inputs *layers.Tensor) *layers.Tensor {
	user, movie := inputs.GetItem(":", 0), inputs.GetItem(":", 1)
	dot := ops.Tensordot(user.Call(n.UserEmbedding), movie.Call(n.MovieEmbedding), 2)
	x := dot.Add(user.Call(n.UserBias)).Add(movie.Call(n.MovieBias))
	return ops.Sigmoid(x) // the rating is between 0 and 1
}

func model() (*keras.Model, error) {
	m := keras.Must(keras.NewSubclassed(NewRecommenderNet(numUsers, numMovies, 8)))
	return m, errors.Join(
		m.Build([]int{2}, layers.DType("int32")),
		m.Compile(keras.Loss(losses.BinaryCrossentropy()), keras.Optimizer(optimizers.Adam(optimizers.LearningRate(.001)))),
	)
}

// train fits the model, and returns the training losses of all epochs, then the validation losses.
func train(ctx context.Context, r *guide.Run) ([]float64, error) {
	history := keras.Must(r.Model.Fit(
		ctx,
		r.X,
		r.Y,
		keras.BatchSize(r.Batch),
		keras.Epochs(r.Epochs),
		keras.ValidationData(ratings(validated, 11)),
		keras.Shuffle(false),
		keras.Output(r.Out),
	))
	return append(history.Logs["loss"], history.Logs["val_loss"]...), nil
}

// recommend returns one tensor, [3, 2]: the best three of the movies that the first user has not
// seen, the best first, each as the number of the movie and its rating.
func recommend(ctx context.Context, r *guide.Run) ([]*tensors.Tensor, error) {
	seen := make(map[int32]bool)
	for _, pair := range r.X.(*tensors.Tensor).Value().([][]int32) {
		if pair[0] == 0 {
			seen[pair[1]] = true
		}
	}
	var movies [][]int32
	for movie := range int32(numMovies) {
		if !seen[movie] {
			movies = append(movies, []int32{0, movie})
		}
	}
	ratings, err := r.Model.Predict(ctx, movies, keras.BatchSize(len(movies)), keras.Verbose(0))
	if err != nil {
		return nil, err
	}
	var rated [][]float32
	for i, rating := range ratings[0].Value().([][]float32) {
		rated = append(rated, []float32{float32(movies[i][1]), rating[0]})
	}
	slices.SortFunc(rated, func(a, b []float32) int { return cmp.Compare(b[1], a[1]) })
	top, err := data.Tensor(rated[:3])
	return []*tensors.Tensor{top}, err
}

// ratings returns n random pairs of a user and a movie, x of the form [n, 2], and a random rating
// from 0 to 1 of each, y of the form [n, 1]. They depend only on n and seed.
func ratings(n, seed int) (x, y any) {
	pairs := ops.Array([][]int32{guide.Classes(n, seed, numUsers), guide.Classes(n, seed+1, numMovies)})
	return ops.Transpose(pairs).Array(), keras.Must(data.FromFlat(guide.Fractions(n, seed+2), n, 1))
}

func known() (x, y any, err error) {
	x, y = ratings(samples, 1)
	return x, y, nil
}
