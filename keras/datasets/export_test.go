package datasets

// This file lets tests load invented data sets.

import "context"

// LoadArchive loads a data set like MNIST whose only file is the NumPy archive small.npz in the
// directory url. hash is its SHA-256 in hexadecimal. Like MNIST, it reads a directory that opts or
// $GOSPMD_MNIST_DIR name instead.
func LoadArchive(ctx context.Context, url, hash string, opts ...Option) (train, test Split, err error) {
	s := mnist
	s.url, s.files = url, []remote{{"small.npz", hash}}
	return s.load(ctx, opts)
}

// LoadCIFAR10 loads a data set like CIFAR-10 whose only file is the archive small.tar.gz in the
// directory url. hash is its SHA-256 in hexadecimal.
func LoadCIFAR10(ctx context.Context, url, hash string, opts ...Option) (train, test Split, err error) {
	s := cifar10
	s.url, s.files = url, []remote{{"small.tar.gz", hash}}
	return s.load(ctx, opts)
}
