// Package classdir finds the files of a dataset in a directory with one subdirectory per class.
//
// It is the common part of Keras' image_dataset_from_directory and text_dataset_from_directory.
//
// It does not read the files: packages images and utils do.
//
// Order of use: Config.Files, then Config.Order, whose elements are numbers of files; Config.Label
// for each.
//
//	file         what it holds
//	classdir.go  Config, File; the classes, the files, the subsets, the labels
package classdir
