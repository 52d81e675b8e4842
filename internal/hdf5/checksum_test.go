package hdf5

// This file tests damaged checksums of compressed chunks.

import (
	"bytes"
	"compress/zlib"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDeflateChecksum reads compressed chunks, with and without another filter's checksum behind
// the elements. In both, a damaged chunk must be an error, because the checksum of the compression
// is verified.
func TestDeflateChecksum(t *testing.T) {
	const size = 64
	for _, more := range []int{0, 4} {
		var out bytes.Buffer
		z := zlib.NewWriter(&out)
		_, err := z.Write(make([]byte, size+more))
		require.NoError(t, err)
		require.NoError(t, z.Flush()) // the data then end in an empty block
		require.NoError(t, z.Close())
		got, err := filterDeflate.undo(out.Bytes(), 1, size)
		require.NoError(t, err)
		require.Len(t, got, size+more)
		damaged := bytes.Clone(out.Bytes())
		damaged[len(damaged)-1] ^= 1
		_, err = filterDeflate.undo(damaged, 1, size)
		require.ErrorIs(t, err, zlib.ErrChecksum)
		_, err = filterDeflate.undo(out.Bytes()[:out.Len()-1], 1, size)
		require.Error(t, err)
	}
}
