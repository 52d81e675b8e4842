// Package tensorfunc is the frame of packages constraints and regularizers: functions of a tensor
// that Keras finds by name, and whose options stand in configs.
//
// It does not compute: the structs of options of these packages do.
//
// Order of use: a Table of classes; Make, Get and FromConfig make Funcs of it.
//
//	file          what it holds
//	tensorfunc.go Func, Table
package tensorfunc
