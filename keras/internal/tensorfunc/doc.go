// Package tensorfunc is the common part of packages constraints and regularizers.
//
// Both hold functions of a tensor. Keras finds such a function by name, and a config holds its
// options.
//
// It does not compute: the structs of options of these packages do.
//
// Order of use: a Table of classes; Make, Get and FromConfig make Funcs of it.
//
//	file          what it holds
//	tensorfunc.go Func, Table
package tensorfunc
