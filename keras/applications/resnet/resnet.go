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

// means are the means of blue, green and red over ImageNet's images, in this order: the networks
// were trained in Caffe, which uses BGR images.
var means = [3]float32{103.939, 116.779, 123.68}

// PreprocessInput converts RGB images to the form that the networks expect: BGR, with ImageNet's
// mean of each channel subtracted. x is one image (height, width, 3) or a batch of images, with
// values from 0 to 255 of any number type, as a tensor or slices. The result is float32 in the
// shape of x. PreprocessInput does not change x. Texts and other shapes are errors.
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

// Prediction is a class that DecodePredictions returns, with its score.
type Prediction struct {
	ID    string // in WordNet, such as n02099601
	Name  string // such as golden_retriever
	Score float32
}

// String returns the name, the ID and the score of the prediction as one line.
func (p Prediction) String() string { return fmt.Sprintf("%s (%s) %.4f", p.Name, p.ID, p.Score) }

// ClassIndex lists the classes of ImageNet: element i is class number i.
type ClassIndex [imagenetClasses]struct{ ID, Name string }

// DecodePredictions returns the top most probable classes of each sample, the best first. The
// predictions are those of a model with IncludeTop(true):
// keras.applications.resnet.decode_predictions. The names come from DownloadClassIndex, which
// writes its progress to out (os.Stderr if nil). Predictions of another shape than (samples, 1000),
// and a top that is not from 1 to 1000, are errors.
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

// Decode returns the top predictions of each sample, as DecodePredictions does, with a class index
// that is already loaded. The errors are the same, except those of the download.
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

// DownloadClassIndex returns the classes of ImageNet. It downloads Keras' file once, to the
// directory that Keras uses too, and writes the progress to out (os.Stderr if nil). A file that
// cannot be downloaded, or has another checksum, is an error.
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

// ReadClassIndex reads Keras' file imagenet_class_index.json: an object with the ID and the name of
// each class by its number. A missing class is an error.
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
