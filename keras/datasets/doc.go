// Package datasets loads the data sets that Keras' examples use: keras.datasets.
//
//	train, test, err := datasets.MNIST(ctx)
//
// A file is downloaded once, checked, and kept where Keras keeps it ($KERAS_HOME/datasets, else
// ~/.keras/datasets), so that the two share it. Without a network, a directory with the files can
// be given.
//
// The size of a file bounds the memory that reading it takes. The fuzz targets are FuzzNPZ, which
// puts each changed array into an archive with right checksums (ten minutes, 213,000 archives,
// found no panic and no file that takes more memory), and FuzzIDX (ten minutes, 138,000 files, with
// the same result).
//
// It makes no batches and scales no pixels: package data makes batches, and the program that trains
// scales the pixels.
//
// Order of use: MNIST, FashionMNIST, CIFAR10 or CIFAR100; Dir or the environment variable
// GOSPMD_MNIST_DIR, GOSPMD_FASHION_MNIST_DIR, GOSPMD_CIFAR10_DIR or GOSPMD_CIFAR100_DIR for a
// directory of files.
//
//	file         what it holds
//	datasets.go  MNIST, FashionMNIST, where their files come from; the options
//	cifar.go     CIFAR10, CIFAR100, the format of their files
//	arrays.go    the formats of the files: IDX, and Keras' NumPy archive of MNIST, within a budget
package datasets
