package cache

// This file defines the keys, and the file names that they determine.

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"path/filepath"
	"slices"
	"strings"
)

// Kind is the kind of an entry's content. It is the extension of the file's name.
type Kind string

// The kinds of entries.
const (
	Executable Kind = "executable" // an executable of a PJRT plugin
	Program    Kind = "program"    // a program.Program
	Warnings   Kind = "warnings"   // warnings about layouts
	Limit      Kind = "limit"      // the limit of memory under which the compiler keeps another one
)

var kinds = []Kind{Executable, Program, Warnings, Limit}

// Key names an entry.
type Key struct {
	kind Kind
	sum  [sha256.Size]byte
}

// KeyOf returns the key for parts that identify the content. Different lists of parts have
// different keys, also if their concatenations are equal.
func (k Kind) KeyOf(parts ...[]byte) Key {
	h := sha256.New()
	for _, p := range parts {
		h.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(p))))
		h.Write(p)
	}
	key := Key{kind: k}
	h.Sum(key.sum[:0])
	return key
}

// File returns the name of the entry's file: hexadecimal digits, a dot, the kind.
func (k Key) File() string { return hex.EncodeToString(k.sum[:]) + "." + string(k.kind) }

// KeyOfFile returns the key of the entry whose file has this name; ok is false for others.
func KeyOfFile(name string) (k Key, ok bool) {
	digits, kind, _ := strings.Cut(filepath.Base(name), ".")
	sum, err := hex.DecodeString(digits)
	if err != nil || len(sum) != len(k.sum) || !slices.Contains(kinds, Kind(kind)) {
		return Key{}, false
	}
	k = Key{kind: Kind(kind), sum: [sha256.Size]byte(sum)}
	return k, k.File() == filepath.Base(name)
}
