package cache

// This file defines the file of an entry: a line with its format, the key, the size and the SHA-256
// of the content; then the content.

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
)

// magic returns the first line of an entry's file: the program, the kind of the entry and the
// version of the format.
func (k Key) magic() string { return "gospmd " + string(k.kind) + " 1\n" }

// headerSize returns the number of bytes of the header of an entry, before the content.
func (k Key) headerSize() int { return len(k.magic()) + len(k.sum) + 8 + sha256.Size }

// write writes the file of the entry with key k to w: a header with checksums, and the content.
func write(w io.Writer, k Key, content []byte) error {
	header := append(make([]byte, 0, k.headerSize()), k.magic()...)
	header = append(header, k.sum[:]...)
	header = binary.LittleEndian.AppendUint64(header, uint64(len(content)))
	sum := sha256.Sum256(content)
	if _, err := w.Write(append(header, sum[:]...)); err != nil {
		return err
	}
	_, err := w.Write(content)
	return err
}

// parse returns the content of file, the bytes of the file of entry k. It returns an error if they
// are damaged, or are the entry of another key.
func parse(k Key, file []byte) ([]byte, error) {
	if len(file) < k.headerSize() {
		return nil, fmt.Errorf("it has %d bytes, want a header of %d", len(file), k.headerSize())
	}
	header, content := file[:k.headerSize()], file[k.headerSize():]
	name, rest := header[:len(k.magic())], header[len(k.magic()):]
	if string(name) != k.magic() {
		return nil, fmt.Errorf("it begins with %q, want %q", name, k.magic())
	}
	if !bytes.Equal(rest[:len(k.sum)], k.sum[:]) {
		return nil, fmt.Errorf("it is the entry of another key, %x", rest[:len(k.sum)])
	}
	rest = rest[len(k.sum):]
	if size := binary.LittleEndian.Uint64(rest); size != uint64(len(content)) {
		return nil, fmt.Errorf("it has %d bytes of content, its header says %d", len(content), size)
	}
	if sum := sha256.Sum256(content); !bytes.Equal(rest[8:], sum[:]) {
		return nil, fmt.Errorf("its content has the SHA-256 %x, its header says %x", sum, rest[8:])
	}
	return content, nil
}
