// Package hdf5 reads and writes HDF5 files as far as Keras uses them, in pure
// Go: groups, datasets of numbers, truth values and strings, attributes.
//
// A file may be far larger than memory. Opening one reads its structure; the
// elements of a dataset are read by Slab, any part alone. Writing works alike:
// a dataset's space is set aside when it is made, its parts may come in any
// order, and the structure follows at Close.
//
// It is not a whole HDF5 library. Written are contiguous datasets in files of
// the oldest format, which every reader knows. Read are contiguous, compact and
// chunked datasets with the filters gzip, shuffle and fletcher32. What else a
// file holds (compound types, links to other files, the dense groups and chunk
// indexes of libver="latest", other filters) does not hinder opening it; using
// that part is an error that says what it is.
//
// Order of use: Open or Read, Group.Dataset, Dataset.Slab; NewWriter,
// GroupWriter.Dataset, DatasetWriter.Slab, Writer.Close.
//
// The source for all formats is the HDF5 File Format Specification Version 3.0
// of the HDF Group; comments name its sections.
//
//	file              what it holds
//	type.go           Type, the element types and their encoding
//	space.go          shapes and their encoding
//	cursor.go         reading of fields with bounds checks
//	file.go           Open, Read, the superblock
//	header.go         object headers and their messages
//	object.go         Group, Dataset: what the messages make
//	links.go          the names in a group: B-tree, heap, link messages
//	attribute.go      Attr and its values
//	strings.go        strings of variable length, in the global heap
//	dataset.go        Dataset.Slab
//	chunks.go         datasets in chunks
//	filters.go        gzip, shuffle
//	slab.go           copying boxes of elements
//	writer.go         Writer, GroupWriter, DatasetWriter
//	writeattr.go      attributes to write, split where they are too large
//	writemeta.go      the structure of a written file
package hdf5
