// Package hdf5 reads and writes HDF5 files as far as Keras uses them, in pure Go: groups, datasets
// of numbers, truth values and strings, attributes.
//
// A file may be far larger than memory. Opening one reads its structure; Dataset.Slab reads any box
// of elements. A dataset to be written gets its space when it is made, its slabs may be written in
// any order, and Close writes the structure.
//
// It is not a complete HDF5 library. It writes contiguous datasets in files of the oldest format,
// which every reader knows. It reads contiguous, compact and chunked datasets with the filters
// gzip, shuffle and fletcher32. A file with other features (compound types, links to other files,
// the dense groups and chunk indexes of libver="latest", other filters) can be opened. Using an
// object with such a feature is an error that names it.
//
// The memory that reading takes is bounded by the size of the file (package budget): every block,
// message, name and text is charged before it is allocated. The fuzz target is FuzzRead.
//
// Order of use: Open or Read, Group.Dataset, Dataset.Slab; NewWriter, GroupWriter.Dataset,
// DatasetWriter.Slab, Writer.Close.
//
// The source for all formats is the HDF5 File Format Specification Version 3.0 of the HDF Group;
// comments name its sections.
//
//	file              what it holds
//	type.go           Type; the encoding of element types and shapes
//	file.go           Open, Read, the superblock; reading of fields with bounds checks
//	object.go         object headers, their messages, and the objects they describe
//	group.go          Group; the names in a group: B-tree, heap, link messages
//	attribute.go      Attr; attributes and strings of variable length
//	dataset.go        Dataset: its header, and where its elements are stored
//	slab.go           Dataset.Slab, Read, Texts: reading of elements
//	chunks.go         chunked datasets, and the filters gzip, shuffle and fletcher32
//	writer.go         Writer, GroupWriter, DatasetWriter; the attributes to be written
//	writemeta.go      the structure of a written file
package hdf5
