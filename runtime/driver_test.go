package runtime_test

// This file tests engines of other packages: an engine on a Driver that keeps tensors in the host's
// memory.

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"log"
	"math"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
)

// hostDriver is a Driver that runs, in place of each program, the Go function with the program's
// name.
type hostDriver struct {
	functions map[string]func(args []float32) ([]float32, error)
	live      atomic.Int32 // the number of buffers and programs that are not freed
	closed    bool
}

func (d *hostDriver) Put(_ int, _ ir.Type, data []byte) (runtime.DriverBuffer, error) {
	d.live.Add(1)
	return &hostBuffer{d, data}, nil
}

func (d *hostDriver) Load(p *program.Program) (runtime.DriverProgram, error) {
	f, ok := d.functions[p.Name]
	if !ok {
		return nil, fmt.Errorf("there is no function for the program %q", p.Name)
	}
	d.live.Add(1)
	return &hostProgram{d, f}, nil
}

func (d *hostDriver) Close() { d.closed = true }

type hostBuffer struct {
	driver *hostDriver
	data   []byte
}

func (b *hostBuffer) Read(dst []byte) error {
	copy(dst, b.data)
	return nil
}

func (b *hostBuffer) Free() { b.driver.live.Add(-1) }

type hostProgram struct {
	driver *hostDriver
	run    func(args []float32) ([]float32, error)
}

// Execute calls the program's Go function. Arguments and results are scalars of f32. It frees the
// donated arguments.
func (p *hostProgram) Execute(args []runtime.DriverBuffer, donated []int) ([]runtime.DriverBuffer, error) {
	var in []float32
	for _, a := range args {
		in = append(in, math.Float32frombits(binary.NativeEndian.Uint32(a.(*hostBuffer).data)))
	}
	out, err := p.run(in)
	if err != nil {
		return nil, err
	}
	for _, i := range donated {
		args[i].Free()
	}
	var results []runtime.DriverBuffer
	for _, v := range out {
		b, err := p.driver.Put(0, ir.Type{}, binary.NativeEndian.AppendUint32(nil, math.Float32bits(v)))
		if err != nil {
			return nil, err
		}
		results = append(results, b)
	}
	return results, nil
}

func (p *hostProgram) Memory() (runtime.MemoryStats, error) {
	return runtime.MemoryStats{}, errors.ErrUnsupported
}

func (p *hostProgram) Free() { p.driver.live.Add(-1) }

// scalarProgram returns a program with the given name that adds the scalar x to itself. donated
// says whether its argument is donated.
func scalarProgram(name string, donated bool) (*program.Program, error) {
	alias := ""
	if donated {
		alias = " {tf.aliasing_output = 0 : i32}"
	}
	m, err := ir.Parse(fmt.Sprintf(`
module @%s {
  func.func @main(%%x: tensor<f32>%s loc("x")) -> (tensor<f32> {jax.result_info = "y"}) {
    %%0 = stablehlo.add %%x, %%x : tensor<f32>
    return %%0 : tensor<f32>
  }
}`, name, alias))
	if err != nil {
		return nil, err
	}
	return compile.Compile(context.Background(), m, compile.Options{})
}

// ExampleNewEngine makes an asynchronous engine of a Driver, whose methods wait for the end of
// their work.
func ExampleNewEngine() {
	ctx := context.Background()
	driver := &hostDriver{functions: map[string]func([]float32) ([]float32, error){
		"double": func(args []float32) ([]float32, error) { return []float32{2 * args[0]}, nil },
	}}
	client := runtime.NewClient(runtime.NewEngine(driver, runtime.DriverOptions{Platform: "cpu", Kinds: []string{"host"}}))
	defer client.Close()
	program, err := scalarProgram("double", false)
	if err != nil {
		log.Fatal(err)
	}
	exe, err := client.Load(ctx, program)
	if err != nil {
		log.Fatal(err)
	}
	defer exe.Close()
	x, err := client.Put(ir.Tensor(dtypes.Float32), nil, []float32{21})
	if err != nil {
		log.Fatal(err)
	}
	results, err := exe.Run(x) // queued
	if err != nil {
		log.Fatal(err)
	}
	y, err := runtime.Values[float32](ctx, results[0]) // waits
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(client.Devices(), y)
	// Output: [{0 host 0 0}] [42]
}

// TestDriver checks what NewEngine adds to a driver. A run must wait for the run that makes its
// input, and a transfer must not wait for runs. A run must name the failed run that its input comes
// from. Close must free every donated buffer and every program, once.
func TestDriver(t *testing.T) {
	ctx := context.Background()
	start := make(chan error)
	d := &hostDriver{functions: map[string]func([]float32) ([]float32, error){
		"slow": func(args []float32) ([]float32, error) {
			if err := <-start; err != nil {
				return nil, err
			}
			return []float32{2 * args[0]}, nil
		},
		"wrong": func([]float32) ([]float32, error) { return nil, nil },
	}}
	c := runtime.NewClient(runtime.NewEngine(d, runtime.DriverOptions{Platform: "cpu", Kinds: []string{"host"}}))
	put := func(v float32) *runtime.Array {
		a, err := c.Put(ir.Tensor(dtypes.Float32), nil, []float32{v})
		require.NoError(t, err)
		return a
	}
	open := func(name string, donated bool) *runtime.Executable {
		p, err := scalarProgram(name, donated)
		require.NoError(t, err)
		return load(t, c, p)
	}
	slow := open("slow", true)
	first, err := slow.Run(put(1))
	require.NoError(t, err)
	second, err := slow.Run(first[0])
	require.NoError(t, err)
	require.NoError(t, put(5).Wait(ctx), "a transfer does not wait for runs")
	start <- nil
	start <- nil
	require.Equal(t, float32(4), value(t, second[0]))

	failed, err := slow.Run(put(1))
	require.NoError(t, err)
	after, err := slow.Run(failed[0])
	require.NoError(t, err)
	start <- errors.New("no power")
	require.ErrorContains(t, after[0].Wait(ctx), `program "slow" did not run, for its input "x" comes from a run that failed: program "slow" failed: no power`)

	wrong, err := open("wrong", false).Run(put(1))
	require.NoError(t, err)
	require.ErrorContains(t, wrong[0].Wait(ctx), "BUG: the driver returned 0 buffers, want 1")
	p, err := scalarProgram("unknown", false)
	require.NoError(t, err)
	_, err = c.Load(ctx, p)
	require.ErrorContains(t, err, `program "unknown": there is no function for the program "unknown"`)
	_, err = slow.Memory()
	require.ErrorIs(t, err, errors.ErrUnsupported)

	second[0].Release()
	require.NoError(t, c.Close())
	require.True(t, d.closed)
	// Two arguments were not released: that of the program "wrong" and that of the transfer.
	// Donated ones are freed, also by the run that failed. Programs are freed by Close.
	require.Equal(t, int32(2), d.live.Load())
}

// startedProgram is a hostProgram whose executions are only started.
type startedProgram struct {
	hostProgram
	started chan struct{} // gets an element for each execution
	ended   chan error    // sends the error with which an execution ends
}

func (p *startedProgram) Start(args []runtime.DriverBuffer, donated []int) ([]runtime.DriverBuffer, runtime.Execution, error) {
	results, err := p.Execute(args, donated)
	p.started <- struct{}{}
	if err != nil {
		return nil, nil, err
	}
	return results, &startedExecution{ended: p.ended}, nil
}

// startedExecution ends when the test sends its error.
type startedExecution struct {
	ended chan error
	over  bool
	err   error
}

func (e *startedExecution) Ended() bool {
	select {
	case e.err = <-e.ended:
		e.over = true
	default:
	}
	return e.over
}

func (e *startedExecution) Wait() error {
	if !e.over {
		e.err = <-e.ended
	}
	return e.err
}

// startedDriver loads a startedProgram if the program's name begins with "start", and keeps it in
// the field program; for another name it loads a hostProgram.
type startedDriver struct {
	hostDriver
	program *startedProgram
}

func (d *startedDriver) Load(p *program.Program) (runtime.DriverProgram, error) {
	loaded, err := d.hostDriver.Load(p)
	if err != nil {
		return nil, err
	}
	if !strings.HasPrefix(p.Name, "start") {
		return loaded, nil
	}
	d.program = &startedProgram{*loaded.(*hostProgram), make(chan struct{}, 8), make(chan error)}
	return d.program, nil
}

// doubler returns a driver whose programs return twice their argument, a number, or an error for a
// negative one. Programs whose name begins with "start" implement Starter.
func doubler() *startedDriver {
	double := func(args []float32) ([]float32, error) {
		if args[0] < 0 {
			return nil, errors.New("below zero")
		}
		return []float32{2 * args[0]}, nil
	}
	return &startedDriver{hostDriver: hostDriver{functions: map[string]func([]float32) ([]float32, error){"start": double, "wait": double}}}
}

// open returns a client on d with a queue of depth 3, a loaded program with the given name, whose
// argument is donated if donated is true, and an array of the number x.
func (d *startedDriver) open(t *testing.T, name string, donated bool, x float32) (*runtime.Client, *runtime.Executable, *runtime.Array) {
	c := runtime.NewClient(runtime.NewEngine(d, runtime.DriverOptions{Platform: "cpu", Kinds: []string{"host"}, QueueDepth: 3}))
	p, err := scalarProgram(name, donated)
	require.NoError(t, err)
	exe := load(t, c, p)
	a, err := c.Put(ir.Tensor(dtypes.Float32), nil, []float32{x})
	require.NoError(t, err)
	return c, exe, a
}

// Executions of a Starter are started before the executions that they depend on have ended, but no
// more than the queue's depth at once. If one of these fails later, the dependent ones fail too,
// with one error, and all arguments are freed.
func TestStarter(t *testing.T) {
	ctx := context.Background()
	for _, donated := range []bool{false, true} {
		d := doubler()
		c, exe, x := d.open(t, "start", donated, 1)
		chain := []*runtime.Array{x}
		for range 3 {
			out, err := exe.Run(chain[len(chain)-1])
			require.NoError(t, err)
			chain = append(chain, out[0])
		}
		for range 3 {
			<-d.program.started
		}
		soon, cancel := context.WithTimeout(ctx, 10*time.Millisecond)
		require.ErrorIs(t, chain[3].Wait(soon), context.DeadlineExceeded)
		cancel()
		more := make(chan *runtime.Array)
		go func() {
			out, err := exe.Run(chain[3])
			require.NoError(t, err)
			more <- out[0]
		}()
		select {
		case <-more:
			require.Fail(t, "a fourth execution is in flight")
		case <-time.After(10 * time.Millisecond):
		}
		d.program.ended <- nil
		chain = append(chain, <-more)
		<-d.program.started
		if !donated {
			require.Equal(t, float32(2), value(t, chain[1]))
		}
		d.program.ended <- errors.New("no power")
		d.program.ended <- nil // the result of an execution whose argument has failed does not count
		d.program.ended <- errors.New("bad argument")
		require.ErrorContains(t, chain[4].Wait(ctx), `program "start" did not run, for its input "x" comes from a run that failed: program "start" failed: no power`)
		for _, a := range chain {
			a.Release()
		}
		require.NoError(t, c.Close())
		require.Zero(t, d.live.Load())
	}
}

// The engine notices the end of an execution that has no waiter.
func TestStarterEnds(t *testing.T) {
	d := doubler()
	c, exe, x := d.open(t, "start", true, 1)
	out, err := exe.Run(x)
	require.NoError(t, err)
	out[0].Release()
	require.NoError(t, exe.Close())
	d.program.ended <- nil
	require.Eventually(t, func() bool { return d.live.Load() == 0 }, time.Minute, time.Millisecond, "of the result and the program")
	require.NoError(t, c.Close())
}

// Wait on a result returns when the execution that makes it has ended. It does not wait for the
// end of a later execution, even if another goroutine waits for that one.
func TestStarterWaiters(t *testing.T) {
	ctx := context.Background()
	d := doubler()
	c, exe, x := d.open(t, "start", false, 1)
	first, err := exe.Run(x)
	require.NoError(t, err)
	second, err := exe.Run(first[0])
	require.NoError(t, err)
	soon, cancel := context.WithTimeout(ctx, 10*time.Millisecond)
	defer cancel()
	// Wait returns, and a goroutine goes on waiting for the execution
	require.ErrorIs(t, second[0].Wait(soon), context.DeadlineExceeded)
	got := make(chan error)
	go func() { got <- first[0].Wait(ctx) }()
	d.program.ended <- nil
	require.NoError(t, <-got)
	d.program.ended <- nil
	require.Equal(t, float32(4), value(t, second[0]))
	require.NoError(t, c.Close())
}

// An execution whose argument is not ready is started later. Wait still returns at its end.
func TestStarterQueued(t *testing.T) {
	ctx := context.Background()
	goOn := make(chan struct{})
	d := doubler()
	double := d.functions["wait"]
	d.functions["wait"] = func(args []float32) ([]float32, error) {
		<-goOn
		return double(args)
	}
	c, start, x := d.open(t, "start", false, 1)
	p, err := scalarProgram("wait", false)
	require.NoError(t, err)
	first, err := load(t, c, p).Run(x)
	require.NoError(t, err)
	second, err := start.Run(first[0])
	require.NoError(t, err)
	require.Empty(t, d.program.started)
	got := make(chan error)
	go func() { got <- second[0].Wait(ctx) }()
	close(goOn)
	<-d.program.started
	d.program.ended <- nil
	require.NoError(t, <-got)
	require.Equal(t, float32(4), value(t, second[0]))
	require.NoError(t, c.Close())
}

// An execution that Start refuses fails, and nothing waits for its end.
func TestStarterRefuses(t *testing.T) {
	d := doubler()
	c, exe, negative := d.open(t, "start", true, -1)
	out, err := exe.Run(negative)
	require.NoError(t, err)
	<-d.program.started
	require.ErrorContains(t, out[0].Wait(context.Background()), "below zero")
	out[0].Release()
	require.NoError(t, c.Close())
	require.Zero(t, d.live.Load())
}

// A program that is no Starter runs only when its arguments are ready, and does not run if the run
// that makes an argument has failed.
func TestWaitsForStarter(t *testing.T) {
	ctx := context.Background()
	for _, failure := range []error{nil, errors.New("no power")} {
		d := doubler()
		c, start, x := d.open(t, "start", false, 1)
		p, err := scalarProgram("wait", false)
		require.NoError(t, err)
		wait := load(t, c, p)
		first, err := start.Run(x)
		require.NoError(t, err)
		second, err := wait.Run(first[0])
		require.NoError(t, err)
		<-d.program.started
		soon, cancel := context.WithTimeout(ctx, 10*time.Millisecond)
		require.ErrorIs(t, second[0].Wait(soon), context.DeadlineExceeded)
		cancel()
		d.program.ended <- failure
		if failure == nil {
			require.Equal(t, float32(4), value(t, second[0]))
		} else {
			require.ErrorContains(t, second[0].Wait(ctx), `program "wait" did not run, for its input "x" comes from a run that failed: program "start" failed: no power`)
		}
		require.NoError(t, c.Close())
	}
}
