// Package datasets loads the data sets that Keras' examples use:
// keras.datasets.
//
//	train, test, err := datasets.MNIST(ctx)
//
// A file is downloaded once, checked, and kept where Keras keeps it
// ($KERAS_HOME/datasets, else ~/.keras/datasets), so that the two share it.
// Where there is no network a folder with the files can be given.
//
// It makes no batches and scales no pixels: package data does the first, the
// program that trains the second.
//
// Order of use: MNIST or FashionMNIST; Dir or the environment variable
// GOSPMD_MNIST_DIR or GOSPMD_FASHION_MNIST_DIR for a folder of files.
//
//	file          what it holds
//	datasets.go   MNIST, FashionMNIST, and where their files come from
//	options.go    Dir, Mirror, Output
//	idx.go        the IDX format of the original files
//	npz.go        the NumPy archive that Keras has of MNIST
package datasets
