package zipfile

// This file writes archives whose members are in memory.

import (
	"archive/zip"
	"io"
)

// Data is a member to be written.
type Data struct {
	Name  string
	Bytes []byte
}

// Write writes an archive of compressed members, in their order.
func Write(to io.Writer, members ...Data) error {
	z := zip.NewWriter(to)
	for _, m := range members {
		w, err := z.Create(m.Name)
		if err != nil {
			return err
		}
		if _, err := w.Write(m.Bytes); err != nil {
			return err
		}
	}
	return z.Close()
}
