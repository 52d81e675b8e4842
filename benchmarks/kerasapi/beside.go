package main

// This file lists names of other modules of Keras that are here, and what is not wanted here.

import (
	"fmt"
	"strings"
)

// beside has names that a user of Keras looks for outside of the modules of names.json, and where
// they are: a function or a type of a package, or a method as package.Type.Method.
var beside = []struct{ keras, here string }{
	{"keras.Model.compute_loss", "keras.ComputeLoss"},
	{"keras.Model.export", "keras.Model.Export"},
	{"keras.Model.get_layer", "keras.Model.Layer"},
	{"keras.Model.compile(run_eagerly)", "keras.RunEagerly"},
	{"keras.Model.train_step", "keras.TrainStep"},
	{"keras.Optimizer.apply", "keras.Step.ApplyGradients"},
	{"keras.Loss.__call__", "keras.Step.Loss"},
	{"keras.metrics.Mean.update_state", "keras.Step.Mean"},
	{"keras.random.normal", "keras.Step.Normal"},
	{"keras.random.uniform", "keras.Step.Uniform"},
	{"keras.layers.Layer.call", "layers.Base.Call"},
	{"keras.layers.Layer.add_loss", "layers.Context.AddLoss"},
	{"keras.layers.Layer.add_weight", "layers.Builder.Weight"},
	{"jax.grad in a step or a layer", "layers.Context.Gradient"},
	{"keras.models.clone_model", "saving.CloneModel"},
	{"keras.models.load_model", "saving.LoadModel"},
	{"keras.initializers.Constant", "initializers.Constant"},
	{"keras.utils.set_random_seed", "random.SetRandomSeed"},
	{"keras.utils.image_dataset_from_directory", "images.FromDirectory"},
	{"keras.utils.text_dataset_from_directory", "utils.TextDatasetFromDirectory"},
	{"keras.datasets.cifar10", "datasets.CIFAR10"},
	{"keras.datasets.cifar100", "datasets.CIFAR100"},
	{"keras.datasets.fashion_mnist", "datasets.FashionMNIST"},
	{"keras.datasets.mnist", "datasets.MNIST"},
	{"tf.data.Dataset.interleave", "data.Pipeline.Interleave"},
	{"tf.data.Dataset.map(num_parallel_calls)", "data.NumParallelCalls"},
}

// unwanted lists what is left out of the API on purpose, with the reason.
var unwanted = []struct{ what, why string }{
	{"A tuner of hyperparameters", "it is a loop around Fit: a program of its own, which needs nothing of this module"},
	{"TFRecord", "a pipeline takes any Go iterator (`data.FromGenerator`), and `data.Pipeline.Cache` has a file format with checksums and positions"},
	{"ONNX", "programs are StableHLO: `Model.Export` writes them, and JAX and XLA read them"},
	{"`keras.datasets.imdb` and `reuters`", "their files hold pickled objects of Python, which only Python should read. `utils.TextDatasetFromDirectory` reads the texts of the reviews themselves (aclImdb), and `TextVectorization` makes numbers of them"},
	{"An open batch size in `Model.Export`", "shapes are fixed in programs, because layouts and costs follow from them: export the model once for each size of batch, and pad smaller batches"},
	{"More `applications`", "a model of an application is a page of layers; weights that Keras publishes load into a model with the same layers. ResNet50 shows how"},
}

// besideTable returns the Markdown sections "Beside these modules", with the lists of Keras names
// and what stands for them here, and "Not wanted". root is the repository. A Go name that is not
// exported is an error.
func besideTable(root string) (string, error) {
	var out strings.Builder
	out.WriteString("\n## Beside these modules\n\n| Keras | here |\n| --- | --- |\n")
	for _, b := range beside {
		pkg, name, _ := strings.Cut(b.here, ".")
		e, err := exportedNames(root, pkg)
		if err != nil {
			return "", err
		}
		if !e[pkg][name] {
			return "", fmt.Errorf("kerasapi: %s is not exported: take its row for %s out, or name what is", b.here, b.keras)
		}
		fmt.Fprintf(&out, "| `%s` | `%s` |\n", b.keras, b.here)
	}
	out.WriteString("\n## Not wanted\n\n")
	for _, u := range unwanted {
		fmt.Fprintf(&out, "- %s: %s.\n", u.what, u.why)
	}
	return out.String(), nil
}
