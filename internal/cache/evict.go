package cache

// This file keeps the directory below its limit.

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gospmd/gospmd/internal/atomicfile"
)

// used is an entry's file, and the time of its last Get or Put.
type used struct {
	name string
	size int64
	at   time.Time
}

// evict removes the temporary files of killed processes, and then the least recently used entries
// until all are within the limit, but never the one that was just put. Several processes that do so
// at the same time may remove more than necessary.
func (c *Disk) evict(put Key) error {
	if err := atomicfile.RemoveLeft(c.dir, isEntry); err != nil {
		return err
	}
	all, total, err := c.entries()
	if err != nil || total <= c.limit {
		return err
	}
	slices.SortFunc(all, func(a, b used) int { return a.at.Compare(b.at) })
	for _, e := range all {
		if total <= c.limit {
			break
		}
		if e.name == put.File() {
			continue
		}
		if err := os.Remove(filepath.Join(c.dir, e.name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		total -= e.size
	}
	return nil
}

// entries returns the files of all entries with their sizes and times of use, and the sum of their
// sizes in bytes. It ignores other files in the directory, and entries that are removed meanwhile.
func (c *Disk) entries() (all []used, total int64, err error) {
	files, err := os.ReadDir(c.dir)
	if err != nil {
		return nil, 0, err
	}
	for _, f := range files {
		if !isEntry(f.Name()) || !f.Type().IsRegular() {
			continue
		}
		info, err := f.Info()
		if err != nil {
			continue // another process has removed it
		}
		all = append(all, used{f.Name(), info.Size(), info.ModTime()})
		total += info.Size()
	}
	return all, total, nil
}

// isEntry reports whether a file with the given name is an entry's.
func isEntry(name string) bool {
	_, ok := KeyOfFile(name)
	return ok
}
