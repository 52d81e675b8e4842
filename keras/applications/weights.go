package applications

// This file knows the files of trained weights.

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gospmd/gospmd/internal/download"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/saving"
)

// imagenet names the weights that were trained on ImageNet.
const (
	imagenet        = "imagenet"
	imagenetClasses = 1000
)

// release is the pair of files that Keras publishes of a model.
type release struct {
	url           string // of the folder
	topMD5, notop string // the checksums
}

const resnetFolder = "https://storage.googleapis.com/tensorflow/keras-applications/resnet/"

// releases lists, by the name of the model, what Keras publishes.
var releases = map[string]release{
	"resnet50":  {resnetFolder, "2cb95161c43110f7111970584f804107", "4d473c1dd8becc155b73f8504c6f6626"},
	"resnet101": {resnetFolder, "f1aeb4b969a6efcfb50fad2f0c20cfc5", "88cf7a10940856eca736dc7b7e228a21"},
	"resnet152": {resnetFolder, "100835be76be38e30d865e96f2aaae62", "ee4c566cf9a93f14d82f913c2dc6dd0c"},
}

// load gives the model the weights of the configuration.
func (c *config) load(ctx context.Context, m *keras.Model, name string) error {
	path := c.weights
	switch path {
	case "":
		return nil
	case imagenet:
		file, err := c.file(name)
		if err != nil {
			return err
		}
		if path, err = file.Get(ctx, c.output); err != nil {
			return fmt.Errorf("the weights of ImageNet: %w", err)
		}
	default:
		if _, err := os.Stat(path); err != nil {
			return fmt.Errorf("got the weights %q: want %q, \"\" for random ones, or the path of a file: %w", path, imagenet, err)
		}
	}
	return saving.LoadWeights(ctx, m, path)
}

// file returns the published file that fits the model.
func (c *config) file(name string) (download.File, error) {
	home, err := download.KerasHome()
	r := releases[name]
	f := download.File{Dir: filepath.Join(home, "models"), Name: name + "_weights_tf_dim_ordering_tf_kernels", Hash: r.topMD5}
	if !c.includeTop {
		f.Name, f.Hash = f.Name+"_notop", r.notop
	}
	f.Name += ".h5"
	f.URL = r.url + f.Name
	return f, err
}
