package plugin

// This file checks files by their SHA-256. A stamp beside an installed file holds the size and the
// times that the file had when it was checked. So hundreds of megabytes are read again only if the
// file has changed.

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/gospmd/gospmd/internal/atomicfile"
)

// checkFile returns a *HashError if the file at path does not have the SHA-256 want, in hexadecimal
// digits.
func checkFile(path, want string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return err
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != want {
		return &HashError{File: path, Got: got, Want: want}
	}
	return nil
}

// HashError is the error of a file that has another SHA-256 than it should have.
type HashError struct{ File, Got, Want string }

func (e *HashError) Error() string {
	return fmt.Sprintf("%s has the SHA-256 %s, want %s: it was damaged or replaced", e.File, e.Got, e.Want)
}

// stamp records that a file was checked, with its size and times at that moment.
type stamp struct {
	SHA256 string `json:"sha256"`
	Size   int64  `json:"size"`
	// the time of the last change of the file's contents, in nanoseconds
	Changed int64 `json:"changed"`
	// the time of the last change of any kind, if the system has it, in nanoseconds
	Status int64 `json:"status"`
}

// stampName returns the path of the stamp of the file at path.
func stampName(path string) string { return path + ".checked" }

func stampOf(info os.FileInfo, sum string) stamp {
	return stamp{SHA256: sum, Size: info.Size(), Changed: info.ModTime().UnixNano(), Status: statusTime(info)}
}

// checkStamped returns nil if the stamp of the file at path says that it had the SHA-256 want and
// has not changed since. Otherwise it reads the file: if it has that SHA-256, checkStamped writes a
// new stamp, and else returns a *HashError. A missing file is an error that wraps fs.ErrNotExist.
func checkStamped(path, want string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	now := stampOf(info, want)
	var then stamp
	if text, err := os.ReadFile(stampName(path)); err == nil && json.Unmarshal(text, &then) == nil && then == now {
		return nil
	}
	if err := checkFile(path, want); err != nil {
		return err
	}
	// If the stamp cannot be written, as in a read-only cache, the next process reads the file
	// again.
	_ = atomicfile.Write(stampName(path), func(f *os.File) error { return json.NewEncoder(f).Encode(now) })
	return nil
}
