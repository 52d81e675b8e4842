package build

// This file identifies the file of the program by its content.

import (
	"crypto/sha256"
	"debug/elf"
	"fmt"
	"io"
	"os"
	"regexp"
	"sync"
)

// executable returns a text that identifies the file of the running program, or Unknown. It reads
// the file once.
var executable = sync.OnceValue(func() string {
	file, err := os.Open("/proc/self/exe") // this works also if the file has been removed, as go run does
	if err != nil {
		var path string
		if path, err = os.Executable(); err == nil {
			file, err = os.Open(path)
		}
	}
	if err != nil {
		return Unknown
	}
	defer file.Close()
	id, err := identify(file)
	if err != nil {
		return Unknown
	}
	return "executable " + id
})

// fourHashes is the form of the go command's default build ID of an executable. The first hash is
// of the inputs of the link. The last hash is of the bytes of the file.
var fourHashes = regexp.MustCompile(`^[\w-]{20}/[\w-]{20}/[\w-]{20}/[\w-]{20}$`)

// identify returns the build ID of an executable. If it has none, identify returns the hash of its
// bytes, which takes a tenth of a second.
func identify(file interface {
	io.Reader
	io.ReaderAt
}) (string, error) {
	if id := buildID(file); fourHashes.MatchString(id) {
		return id, nil
	}
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", hash.Sum(nil)[:16]), nil
}

// buildID returns the go command's note in an ELF file, "" if there is none.
func buildID(file io.ReaderAt) string {
	f, err := elf.NewFile(file)
	if err != nil {
		return ""
	}
	note := f.Section(".note.go.buildid")
	const header = 16 // three sizes and "Go\0\0"
	if note == nil || note.Size < header || note.Size > 1<<10 {
		return ""
	}
	data, err := note.Data()
	if err != nil {
		return ""
	}
	size := f.ByteOrder.Uint32(data[4:])
	if string(data[12:header]) != "Go\x00\x00" || int64(size) > int64(len(data)-header) {
		return ""
	}
	return string(data[header:][:size])
}
