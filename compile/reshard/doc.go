// Package reshard plans how a tensor gets from one layout to another.
package reshard
