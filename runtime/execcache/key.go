package execcache

// This file defines the keys.

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
)

// Key names an entry.
type Key [sha256.Size]byte

// KeyOf returns the key of something that is told from others by its parts: these, their
// number and where one ends.
func KeyOf(parts ...[]byte) (k Key) {
	h := sha256.New()
	for _, p := range parts {
		h.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(p))))
		h.Write(p)
	}
	h.Sum(k[:0])
	return k
}

// String returns the key as hexadecimal digits.
func (k Key) String() string { return hex.EncodeToString(k[:]) }
