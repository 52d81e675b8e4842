// Package classdir finds the files of a dataset in a directory that has a subdirectory for each
// class. It is what image_dataset_from_directory and text_dataset_from_directory of Keras share.
//
// It does not read the files: packages images and utils do.
//
// Order of use: Config.Files, then Config.Order, whose elements are numbers of files; Config.Label
// for each.
//
//	file         what it holds
//	classdir.go  Config, File; the classes, the files, the subsets, the labels
package classdir
