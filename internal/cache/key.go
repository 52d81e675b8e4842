package cache

// This file defines the keys, and the names of files that follow from them.

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"path/filepath"
	"slices"
	"strings"
)

// Kind is what entries hold. It ends the names of their files.
type Kind string

// The kinds.
const (
	Executable Kind = "executable" // what a PJRT plugin has compiled
	Program    Kind = "program"    // a program.Program
	Warnings   Kind = "warnings"   // what was found of layouts
)

var kinds = []Kind{Executable, Program, Warnings}

// Key names an entry.
type Key struct {
	kind Kind
	sum  [sha256.Size]byte
}

// KeyOf returns the key of something of this kind that is told from others by its parts: these,
// their number and where one ends.
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
