package checkpoint_test

// This file kills saving processes at random moments, damages checkpoints at every place, and reads
// tables that were written to do harm. Damage must always be noticed, without a panic.

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/checkpoint"
	"github.com/gospmd/gospmd/internal/agree"
	"github.com/gospmd/gospmd/internal/testing/agreetest"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/memtest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
)

// These environment variables make this test binary a saver. saverDir holds the directory in which
// it saves until it is killed. onceDir holds one in which it saves once more and ends. saverCount
// holds the number of processes of its job, which are goroutines.
const (
	saverDir   = "GOSPMD_TEST_SAVER_DIR"
	onceDir    = "GOSPMD_TEST_SAVE_ONCE_DIR"
	saverCount = "GOSPMD_TEST_SAVER_COUNT"
)

// constant is a tensor of 131072 numbers of type uint64 that are all equal to it.
type constant uint64

const rows = 1 << 17

func (c constant) Type() ir.Type { return ir.Tensor(dtypes.Uint64, rows) }

func (c constant) VisitOwned(_ context.Context, visit func([]layout.Range, []byte) error) error {
	b := make([]byte, 8*rows)
	for i := range rows {
		binary.LittleEndian.PutUint64(b[8*i:], uint64(c))
	}
	return visit([]layout.Range{{Start: 0, Limit: rows}}, b)
}

func TestMain(m *testing.M) {
	dir, once := os.Getenv(onceDir), true
	if dir == "" {
		dir, once = os.Getenv(saverDir), false
	}
	if dir == "" {
		os.Exit(m.Run())
	}
	size, _ := strconv.Atoi(os.Getenv(saverCount))
	for _, err := range agreetest.Run(max(1, size), func(job agree.Job) error { return keepSaving(job, dir, once) }) {
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// keepSaving runs as one process of the job: it saves the step after the last saved one into the
// store dir, or step 1 into an empty one, and repeats this until it is killed. Process 0 prints the
// number of each step that is saved. The checkpoint of step n has one tensor, x, equal to
// constant(n). If once is true, keepSaving saves one step only.
func keepSaving(job agree.Job, dir string, once bool) error {
	store, err := checkpoint.NewStoreAcross(context.Background(), job, dir, 2)
	if err != nil {
		return err
	}
	steps, err := store.Steps()
	if err != nil {
		return err
	}
	step := 0
	if n := len(steps); n > 0 {
		step = steps[n-1]
	}
	if _, err := job.Exchange(context.Background(), "steps read", nil); err != nil {
		return err
	}
	for {
		step++
		var x checkpoint.Source = constant(step)
		if job.ProcessCount() > 1 {
			x = share{constant(step), job}
		}
		if err := store.SaveAsync(context.Background(), step, []checkpoint.Tensor{{Name: "x", Source: x}}, nil); err != nil {
			return err
		}
		if err := store.Wait(); err != nil {
			return err
		}
		if job.ProcessIndex() == 0 {
			if _, err := fmt.Println(step); err != nil {
				return err
			}
		}
		if once {
			return nil
		}
	}
}

// share is a constant. Each process saves a part of its rows: an equal number, in the order of the
// processes.
type share struct {
	constant
	job agree.Job
}

func (s share) VisitOwned(ctx context.Context, visit func([]layout.Range, []byte) error) error {
	return s.constant.VisitOwned(ctx, func(_ []layout.Range, data []byte) error {
		rank, size := s.job.ProcessIndex(), s.job.ProcessCount()
		from, to := rank*rows/size, (rank+1)*rows/size
		return visit([]layout.Range{{Start: from, Limit: to}}, data[8*from:8*to])
	})
}

// TestKill kills a saver again and again while it saves, first with one process and then with
// several. The last checkpoint is always whole, and no step is lost that was saved.
func TestKill(t *testing.T) {
	t.Run("one process", func(t *testing.T) { killAgainAndAgain(t, func(int) int { return 1 }) })
	t.Run("several processes", func(t *testing.T) { killAgainAndAgain(t, func(run int) int { return 1 + (run+2)%3 }) })
}

// killAgainAndAgain starts this test binary as a saver 3 times, with longtest 40 times, and kills
// it at a random moment. Each time the last checkpoint must be whole, newer than after the kill
// before, and not older than the last one that the saver has reported. The job of run 0, 1, … has
// size(run) processes, which are goroutines of the saver.
func killAgainAndAgain(t *testing.T, size func(run int) int) {
	dir := t.TempDir()
	store, err := checkpoint.NewStore(dir, 2)
	require.NoError(t, err)
	kills := longtest.Pick(3, 40)
	r := rand.New(rand.NewPCG(1, 2))
	last, inSaves := 0, 0
	for run := range kills {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), saverDir+"="+dir, fmt.Sprintf("%s=%d", saverCount, size(run)))
		cmd.Stderr = os.Stderr
		stdout, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		lines := bufio.NewScanner(stdout)
		reported := 0
		for range 1 + r.IntN(3) { // checkpoints
			require.True(t, lines.Scan())
			reported, err = strconv.Atoi(lines.Text())
			require.NoError(t, err)
		}
		time.Sleep(time.Duration(r.IntN(10000)) * time.Microsecond)
		require.NoError(t, cmd.Process.Kill())
		for lines.Scan() { // its output before it was killed
			if n, err := strconv.Atoi(lines.Text()); err == nil {
				reported = n
			}
		}
		require.ErrorContains(t, cmd.Wait(), "killed")
		steps, err := store.Steps()
		require.NoError(t, err)
		require.NotEmpty(t, steps)
		step := newestStep(t, store)
		require.Greater(t, step, last)
		require.GreaterOrEqual(t, step, reported)
		last = step
		left, err := filepath.Glob(filepath.Join(dir, ".*.tmp*"))
		require.NoError(t, err)
		if len(left) > 0 {
			inSaves++
		}
	}
	t.Logf("%d kills, %d of them while a file was written", kills, inSaves)
}

// newestStep returns the step of the newest checkpoint. The test fails unless that is complete, and
// each element of its tensor x is the number of the step.
func newestStep(t *testing.T, store *checkpoint.Store) int {
	t.Helper()
	c, step, err := store.Latest()
	require.NoError(t, err)
	defer c.Close()
	require.NoError(t, c.Verify())
	_, got := wholeOf(t, c, "x")
	want := bytes.Repeat(binary.LittleEndian.AppendUint64(nil, uint64(step)), rows)
	require.True(t, bytes.Equal(want, got), "step %d: other values", step)
	return step
}

// savedBytes returns the bytes of a checkpoint file with two small tensors, kernel and step, and
// metadata.
func savedBytes(t testing.TB) []byte {
	t.Helper()
	name := filepath.Join(t.TempDir(), "x.ckpt")
	require.NoError(t, checkpoint.Save(t.Context(), name, []checkpoint.Tensor{
		{Name: "kernel", Source: checkpoint.Host(ir.Tensor(dtypes.Float32, 3, 5), bytes.Repeat([]byte{1, 2, 3, 4, 5}, 12))},
		{Name: "step", Source: checkpoint.Host(ir.Tensor(dtypes.Int64), []byte{1, 2, 3, 4, 5, 6, 7, 8})},
	}, []byte("the caller's own")))
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	return data
}

// readAll writes a checkpoint with these bytes to the file name, opens it, reads its tensors of at
// most 1 MiB, and verifies all. It returns the first error.
func readAll(name string, data []byte) error {
	if err := os.WriteFile(name, data, 0o644); err != nil {
		return err
	}
	c, err := checkpoint.Open(name)
	if err != nil {
		return err
	}
	defer c.Close()
	for _, name := range c.Names() {
		s, err := c.Tensor(name)
		if err != nil {
			return err
		}
		if s.Type().Bytes() > 1<<20 {
			continue
		}
		ranges := make([]layout.Range, s.Type().Rank())
		for i, d := range s.Type().Dims {
			ranges[i] = layout.Range{Limit: d}
		}
		if err := s.Read(ranges, make([]byte, s.Type().Bytes())); err != nil {
			return err
		}
	}
	return c.Verify()
}

// TestEveryByte damages a checkpoint at each byte: it flips a bit, cuts the file off, or zeroes a
// block from there on, as a power cut does. Reading must return an error that names the file and
// that IsDamaged accepts.
func TestEveryByte(t *testing.T) {
	whole, name := savedBytes(t), filepath.Join(t.TempDir(), "damaged.ckpt")
	require.NoError(t, readAll(name, whole))
	requireDamaged := func(what string, at int, data []byte) {
		t.Helper()
		err := readAll(name, data)
		require.Error(t, err, "%s at byte %d", what, at)
		require.True(t, checkpoint.IsDamaged(err), "%s at byte %d: %v", what, at, err)
		require.ErrorContains(t, err, name)
	}
	for at := range whole {
		data := bytes.Clone(whole)
		data[at] ^= 1 << (at % 8)
		requireDamaged("a flipped bit", at, data)
		requireDamaged("the end", at, whole[:at])
		data = bytes.Clone(whole)
		if clear(data[at:min(at+64, len(data))]); !bytes.Equal(data, whole) {
			requireDamaged("zeros", at, data)
		}
	}
}

// FuzzTable replaces the table of a checkpoint by any bytes, with a right checksum, as a faulty
// writer might. Reading it may return an error, but must end, and must not take more memory than
// the file justifies.
func FuzzTable(f *testing.F) {
	whole := savedBytes(f)
	const foot = 32
	offset := int(binary.LittleEndian.Uint64(whole[len(whole)-foot:]))
	f.Add(string(whole[offset : len(whole)-foot]))
	for _, tensor := range []map[string]any{
		{"name": "a", "dtype": "Float32", "shape": []int{1 << 40, 1 << 40}},
		{"name": "a", "dtype": "Float32", "shape": []int{-1}},
		{"name": "a", "dtype": "Float99", "shape": []int{}},
		{"name": "a", "dtype": "Int8", "shape": []int{2}, "tiles": []any{map[string]any{"start": []int{0}, "count": []int{1}, "offset": 16}, map[string]any{"start": []int{0}, "count": []int{1}, "offset": 16}}},
		{"name": "a", "dtype": "Int8", "shape": []int{2}, "tiles": []any{map[string]any{"start": []int{1}, "count": []int{1 << 62}, "offset": -1}}},
		{"name": "a", "dtype": "Int8", "shape": []int{0, 1 << 62, 1 << 62}},
	} {
		text, err := json.Marshal(map[string]any{"tensors": []any{tensor, tensor}})
		require.NoError(f, err)
		f.Add(string(text))
	}
	name := filepath.Join(f.TempDir(), "x.ckpt")
	f.Fuzz(func(t *testing.T, table string) {
		data := withTable(whole, table)
		memtest.Within(t, len(data), func() { _ = readAll(name, data) })
	})
}

// withTable returns the bytes of a checkpoint file: those of the file whole, with the text table in
// place of its table, and the right checksum for it.
func withTable(whole []byte, table string) []byte {
	const foot = 32
	offset := binary.LittleEndian.Uint64(whole[len(whole)-foot:])
	data := append(bytes.Clone(whole[:offset]), table...)
	data = binary.LittleEndian.AppendUint64(data, offset)
	data = binary.LittleEndian.AppendUint32(data, uint32(len(table)))
	data = binary.LittleEndian.AppendUint32(data, crc32.Checksum([]byte(table), crc32.MakeTable(crc32.Castagnoli)))
	return append(data, whole[len(whole)-16:]...)
}

// TestHostileTable opens checkpoints whose tables ask for more memory than the file justifies.
// Reading must not take it. The error must be ErrDamaged, and shorter than 3000 bytes.
func TestHostileTable(t *testing.T) {
	whole, name := savedBytes(t), filepath.Join(t.TempDir(), "x.ckpt")
	entry := func(name string, tiles string) string {
		return fmt.Sprintf(`{"name":%q,"dtype":"Int8","shape":[8],"tiles":[%s]}`, name, tiles)
	}
	const tile = `{"start":[0],"count":[8],"offset":16,"crc32c":1}`
	entries := make([]string, 1000)
	for i := range entries {
		entries[i] = entry(fmt.Sprint("t", i), tile)
	}
	for _, tc := range []struct{ name, table, want string }{
		{"empty tiles", `{"tensors":[` + entry("a", strings.Repeat("{},", 1<<20)+"{}") + `]}`, "its table needs"},
		{"empty tensors", `{"tensors":[` + strings.Repeat("{},", 1<<20) + `{}]}`, "its table needs"},
		{"one tile of many tensors", `{"tensors":[` + strings.Join(entries, ",") + `]}`, "its tensors have more than the"},
		{"one name twice", `{"tensors":[` + entry("a", tile) + "," + entry("a", tile) + `]}`, "it holds two tensors a"},
		{"long name", `{"tensors":[` + entry(strings.Repeat("n", 1<<20), `{"start":[1],"count":[8],"offset":16}`) + `]}`, "outside of the shape"},
		{"wrong types", `{"tensors":"` + strings.Repeat("n", 1<<20) + `"}`, "its table: json"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			data := withTable(whole, tc.table)
			memtest.Within(t, len(data), func() {
				err := readAll(name, data)
				require.ErrorIs(t, err, checkpoint.ErrDamaged)
				require.ErrorContains(t, err, tc.want)
				require.Less(t, len(err.Error()), 3000)
			})
		})
	}
}
