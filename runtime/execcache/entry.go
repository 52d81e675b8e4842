package execcache

// This file defines the file of an entry: a line that says what it is, the key, the size
// and the SHA-256 of the content, the content.

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
)

const (
	magic      = "gospmd executable 1\n"
	headerSize = len(magic) + len(Key{}) + 8 + sha256.Size
	suffix     = ".executable"
)

// write writes the file of an entry.
func write(w io.Writer, k Key, content []byte) error {
	header := append(make([]byte, 0, headerSize), magic...)
	header = append(header, k[:]...)
	header = binary.LittleEndian.AppendUint64(header, uint64(len(content)))
	sum := sha256.Sum256(content)
	if _, err := w.Write(append(header, sum[:]...)); err != nil {
		return err
	}
	_, err := w.Write(content)
	return err
}

// parse returns the content of an entry's file.
func parse(k Key, file []byte) ([]byte, error) {
	if len(file) < headerSize {
		return nil, fmt.Errorf("it has %d bytes, want a header of %d", len(file), headerSize)
	}
	header, content := file[:headerSize], file[headerSize:]
	name, rest := header[:len(magic)], header[len(magic):]
	if string(name) != magic {
		return nil, fmt.Errorf("it begins with %q, want %q", name, magic)
	}
	if !bytes.Equal(rest[:len(k)], k[:]) {
		return nil, fmt.Errorf("it is the entry of another key, %x", rest[:len(k)])
	}
	rest = rest[len(k):]
	if size := binary.LittleEndian.Uint64(rest); size != uint64(len(content)) {
		return nil, fmt.Errorf("it has %d bytes of content, its header says %d", len(content), size)
	}
	if sum := sha256.Sum256(content); !bytes.Equal(rest[8:], sum[:]) {
		return nil, fmt.Errorf("its content has the SHA-256 %x, its header says %x", sum, rest[8:])
	}
	return content, nil
}
