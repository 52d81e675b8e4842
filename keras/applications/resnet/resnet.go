package resnet

// This file prepares images for the networks, and decodes their predictions.

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/internal/download"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
)

// means are the means of blue, green and red in the images of ImageNet. The networks
// were trained in Caffe, with this order of the colors.
var means = [3]float32{103.939, 116.779, 123.68}

// PreprocessInput returns images as the networks take them: blue, green, red, minus
// the means of ImageNet. x is one image (height, width, 3) or a batch of them: red,
// green, blue from 0 to 255 of any number type, as a tensor or slices. It is not
// changed.
func PreprocessInput(x any) (*tensors.Tensor, error) {
	t, err := data.Tensor(x)
	if err != nil {
		return nil, fmt.Errorf("resnet: images: %w", err)
	}
	if data.IsText(t) {
		return nil, fmt.Errorf("resnet: images: got texts, want numbers: read files by package images")
	}
	dims := t.Shape().Dimensions
	if rank := len(dims); rank < 3 || rank > 4 || dims[rank-1] != len(means) {
		return nil, fmt.Errorf("resnet: got images of shape %s, want (height, width, 3) or (batch, height, width, 3)", layers.ShapeText(dims))
	}
	pixels, err := data.Floats(t)
	if err != nil {
		return nil, fmt.Errorf("resnet: images: %w", err)
	}
	for pixel := range slices.Chunk(pixels, len(means)) {
		pixel[0], pixel[2] = pixel[2], pixel[0]
		for c, mean := range means {
			pixel[c] -= mean
		}
	}
	return tensors.FromFlatDataAndDimensions(pixels, dims...), nil
}

// imagenetClasses is the number of classes of ImageNet.
const imagenetClasses = 1000

// Prediction is a class with its score.
type Prediction struct {
	ID    string // of WordNet, such as n02099601
	Name  string // such as golden_retriever
	Score float32
}

// String returns the prediction as one line.
func (p Prediction) String() string { return fmt.Sprintf("%s (%s) %.4f", p.Name, p.ID, p.Score) }

// ClassIndex holds the classes of ImageNet by number.
type ClassIndex [imagenetClasses]struct{ ID, Name string }

// DecodePredictions returns the top classes of each sample, the best first, from the
// predictions of a model with its classifier:
// keras.applications.resnet.decode_predictions. The names come from
// DownloadClassIndex, which shows its progress on out (os.Stderr if nil).
func DecodePredictions(ctx context.Context, predictions *tensors.Tensor, top int, out io.Writer) ([][]Prediction, error) {
	if err := checkPredictions(predictions, top); err != nil {
		return nil, err
	}
	index, err := DownloadClassIndex(ctx, out)
	if err != nil {
		return nil, err
	}
	return index.Decode(predictions, top)
}

// Decode is DecodePredictions with an index that was read before.
func (index *ClassIndex) Decode(predictions *tensors.Tensor, top int) ([][]Prediction, error) {
	if err := checkPredictions(predictions, top); err != nil {
		return nil, err
	}
	scores, err := data.Floats(predictions)
	if err != nil {
		return nil, fmt.Errorf("resnet: predictions: %w", err)
	}
	var decoded [][]Prediction
	for sample := range slices.Chunk(scores, imagenetClasses) {
		all := make([]Prediction, imagenetClasses)
		for k, c := range index {
			all[k] = Prediction{c.ID, c.Name, sample[k]}
		}
		slices.SortStableFunc(all, func(a, b Prediction) int { return cmp.Compare(b.Score, a.Score) })
		decoded = append(decoded, all[:top])
	}
	return decoded, nil
}

func checkPredictions(predictions *tensors.Tensor, top int) error {
	if dims := predictions.Shape().Dimensions; len(dims) != 2 || dims[1] != imagenetClasses {
		return fmt.Errorf("resnet: got predictions of shape %s, want (samples, %d): those of a model with the top of ImageNet", layers.ShapeText(dims), imagenetClasses)
	}
	if top < 1 || top > imagenetClasses {
		return fmt.Errorf("resnet: got the top %d classes, want 1 to %d", top, imagenetClasses)
	}
	return nil
}

// DownloadClassIndex returns the classes of ImageNet from a file that is downloaded
// once and kept where Keras keeps it.
func DownloadClassIndex(ctx context.Context, out io.Writer) (*ClassIndex, error) {
	home, err := download.KerasHome()
	if err != nil {
		return nil, fmt.Errorf("resnet: %w", err)
	}
	file := download.File{
		URL:  "https://storage.googleapis.com/download.tensorflow.org/data/imagenet_class_index.json",
		Dir:  filepath.Join(home, "models"),
		Hash: "c2c37ea517e94d9795004a39431a14cb",
	}
	path, err := file.Get(ctx, out)
	if err != nil {
		return nil, fmt.Errorf("resnet: names of the classes: %w", err)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("resnet: %w", err)
	}
	defer f.Close()
	return ReadClassIndex(f)
}

// ReadClassIndex reads Keras' file imagenet_class_index.json: an object with the ID
// and the name of each class by its number.
func ReadClassIndex(r io.Reader) (*ClassIndex, error) {
	var entries map[string][]string
	if err := json.NewDecoder(r).Decode(&entries); err != nil {
		return nil, fmt.Errorf("resnet: index of the classes: %w", err)
	}
	index := new(ClassIndex)
	for k := range index {
		c := entries[strconv.Itoa(k)]
		if len(c) != 2 {
			return nil, fmt.Errorf("resnet: index of the classes: class %d has %q, want its ID and name", k, c)
		}
		index[k].ID, index[k].Name = c[0], c[1]
	}
	return index, nil
}
