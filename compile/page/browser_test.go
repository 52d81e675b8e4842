package page_test

// This file tests pages in a browser.

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/explain"
	"github.com/gospmd/gospmd/compile/page"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
)

// browsers are the names of programs that can show a page.
var browsers = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "headless-shell"}

// tab is a page in a tab of a browser, and what the page writes to the console.
type tab struct {
	*testing.T
	ctx     context.Context
	file    string
	console <-chan string
}

// open shows a page in a browser, and waits for the rows of its list of ops. hash is the end of its
// address, from the # on, such as #op=0, or "". It skips the test without a browser.
func open(t *testing.T, html []byte, hash string) *tab {
	t.Helper()
	return openAndWait(t, html, hash, "#list .row")
}

// openAndWait opens the page html in a browser, with hash at the end of its address as for open,
// and waits until it has an element for the selector. The page must write nothing to the console.
// It skips the test without a browser; the browser is closed when the test ends.
func openAndWait(t *testing.T, html []byte, hash, selector string) *tab {
	t.Helper()
	path := needs.Tool(t, "chromium", browsers...)
	file := filepath.Join(t.TempDir(), "page.html")
	require.NoError(t, os.WriteFile(file, html, 0o644))
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.ExecPath(path))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 5*time.Minute)
	t.Cleanup(cancel)
	messages, console := chromedp.Console(ctx), make(chan string, 100)
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			console <- fmt.Sprint(m)
		}
	}()
	b := &tab{T: t, ctx: ctx, file: file, console: console}
	b.do(chromedp.EmulateViewport(1280, 800), chromedp.Navigate("file://"+file+hash))
	b.requireQuiet()
	b.do(chromedp.WaitVisible(chromedp.CSS(selector)))
	return b
}

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	require.NoError(b, chromedp.Do(b.ctx, steps...))
}

// value returns the value of a JavaScript expression in the page. It fails the test if the
// expression throws.
func value[T any](b *tab, expression string) T {
	b.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression))
	require.NoError(b, err)
	return v
}

// hash returns the values after the # of the address.
func (b *tab) hash() url.Values {
	b.Helper()
	v, err := url.ParseQuery(strings.TrimPrefix(value[string](b, "location.hash"), "#"))
	require.NoError(b, err)
	return v
}

// number returns the number at the start of the text of the first element for the selector, whose
// digits may be grouped by commas.
func (b *tab) number(selector string) (n int) {
	b.Helper()
	text := value[string](b, fmt.Sprintf("document.querySelector(%q).textContent", selector))
	_, err := fmt.Sscanf(strings.ReplaceAll(text, ",", ""), "%d", &n)
	require.NoError(b, err, text)
	return n
}

// requireQuiet checks that the page has written nothing to the console.
func (b *tab) requireQuiet() {
	b.Helper()
	select {
	case m := <-b.console:
		b.Fatal("the page writes to the console: ", m)
	default:
	}
}

// Pages of small programs (empty, on one device, without ops, with a loop) open in the browser
// without errors.
func TestSmallPrograms(t *testing.T) {
	for name, text := range map[string]string{
		"empty":      `func.func @main() { return }`,
		"one device": `func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> { %0 = stablehlo.tanh %x : tensor<4xf32> return %0 : tensor<4xf32> }`,
		"constant":   `func.func @main() -> tensor<f32> { %0 = stablehlo.constant dense<1.0> : tensor<f32> return %0 : tensor<f32> }`,
		"silent":     "sdy.mesh @mesh = <[\"x\"=4]>\nfunc.func @main(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }",
		"loop": `sdy.mesh @mesh = <["a"=2, "b"=3, "c"=2, "d"=12]>
func.func @main(%x: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) -> tensor<4x4xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %c, %y = %x) : tensor<i32>, tensor<4x4xf32>
    cond { %n = stablehlo.constant dense<7> : tensor<i32> %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1> stablehlo.return %1 : tensor<i1> }
    do { %one = stablehlo.constant dense<1> : tensor<i32> %2 = stablehlo.add %i, %one : tensor<i32> %3 = stablehlo.dot_general %y, %y, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> stablehlo.return %2, %3 : tensor<i32>, tensor<4x4xf32> }
  return %0#1 : tensor<4x4xf32>
}`,
	} {
		t.Run(name, func(t *testing.T) {
			m, err := ir.Parse(text)
			require.NoError(t, err)
			b := open(t, pageOf(t, m), "#op=0")
			b.requireQuiet()
			require.Contains(t, value[string](b, "document.querySelector('#pinned').textContent"), "memory then")
			b.requireQuiet()
		})
	}
}

// elements is the largest number of elements that a page may have, however long the program is.
const elements = 1500

func TestBrowser(t *testing.T) {
	for _, blocks := range longtest.Pick([]int{4}, []int{4, 32}) {
		t.Run(fmt.Sprint(blocks, " layers"), func(t *testing.T) {
			html := writePage(t, blocks)
			require.Less(t, len(html), limit)
			b := open(t, html, "")
			all := b.number("#count")
			require.Less(t, all, 250, "the ops of one block, and of what is around them")
			b.testShown(all, 60*blocks)
			requireBounded := func(what string) {
				b.Helper()
				require.Less(t, value[int](b, "document.querySelectorAll('*').length"), elements, what)
				require.False(t, value[bool](b, "document.documentElement.scrollWidth > innerWidth || document.documentElement.scrollHeight > innerHeight"), "%s: the page is larger than the window", what)
				b.requireQuiet()
			}
			requireBounded("at first")
			b.testFilters(all)
			requireBounded("filtered")
			b.testMemory()
			requireBounded("memory")
			b.testTree(blocks, all)
			requireBounded("a layer")
			b.testPin()
			requireBounded("pinned")
			b.testKeys()
			requireBounded("after keys")
		})
	}
}

// testShown tests the controls of the page's list of ops: a click, a key or a button shows repeated
// layers, constants and ops without time. folded is the number of rows before, and most is a number
// of rows that the full list exceeds.
func (b *tab) testShown(folded, most int) {
	times := "document.querySelectorAll('#list .times').length"
	b.do(chromedp.SendKeys(chromedp.CSS("#search"), "dot_general"))
	require.Positive(b, value[int](b, times), "ops that stand for others say so")
	b.do(chromedp.Click(chromedp.CSS("#list .times")))
	require.Zero(b, value[int](b, times), "a click on the number shows all of them")
	b.do(chromedp.KeyEvent("r"), chromedp.KeyEvent(kb.Escape))
	b.do(chromedp.SendKeys(chromedp.CSS("#search"), kb.Escape), chromedp.KeyEvent("r"))
	unfolded := b.number("#count")
	require.Greater(b, unfolded, 2*folded)
	require.Equal(b, []string{"1"}, b.hash()["unfold"])
	require.Zero(b, value[int](b, times))
	require.False(b, value[bool](b, "[...document.querySelectorAll('#list .row')].some(r => /constant/.test(r.textContent))"))
	b.do(chromedp.Click(chromedp.Search("//span[@id='shown']/button[contains(., 'ops without time')]")))
	require.Greater(b, b.number("#count"), most)
	require.True(b, value[bool](b, "[...document.querySelectorAll('#list .row')].some(r => /constant/.test(r.textContent))"))
	b.do(chromedp.KeyEvent("c"), chromedp.KeyEvent("r"))
	require.Equal(b, folded, b.number("#count"))
	require.Empty(b, b.hash())
}

// testMemory opens the panel of the memory at the peak, and requires that the layer with the most
// memory unfolds into its buffers.
func (b *tab) testMemory() {
	b.do(chromedp.Click(chromedp.Search("//span[@id='panels']/button[contains(., 'Memory')]")))
	require.Equal(b, []string{"memory"}, b.hash()["panel"])
	b.do(chromedp.WaitVisible(chromedp.CSS("#buffers .row")))
	rows := "document.querySelectorAll('#buffers [aria-level=\"2\"]').length"
	require.Zero(b, value[int](b, rows))
	b.do(chromedp.Focus(chromedp.CSS("#buffers")), chromedp.KeyEvent(kb.Enter))
	require.Positive(b, value[int](b, rows), "the buffers of the largest layer")
	require.Equal(b, "true", value[string](b, "document.querySelector('#buffers [role=treeitem]').getAttribute('aria-expanded')"))
	b.do(chromedp.KeyEvent(kb.ArrowLeft))
	require.Zero(b, value[int](b, rows))
	b.do(chromedp.Focus(chromedp.CSS("#tab-buffers")), chromedp.KeyEvent(kb.ArrowLeft))
	require.Empty(b, b.hash())
	require.False(b, value[bool](b, "document.querySelector('#list').hidden"))
}

// testFilters searches and filters the list of ops, whose number is all, and checks what is shown.
func (b *tab) testFilters(all int) {
	b.do(chromedp.SendKeys(chromedp.CSS("#search"), "tanh block1"))
	require.Equal(b, []string{"tanh block1"}, b.hash()["q"])
	found := b.number("#count")
	require.Positive(b, found)
	require.Less(b, found, all/3)
	require.True(b, value[bool](b, "[...document.querySelectorAll('#list .row')].every(r => /tanh/.test(r.textContent))"))
	b.do(chromedp.SendKeys(chromedp.CSS("#search"), kb.Escape))
	require.Equal(b, all, b.number("#count"))

	button := func(text string) chromedp.Search {
		return chromedp.Search(fmt.Sprintf("//span[@id='chips']/button[contains(., '%s')]", text))
	}
	b.do(chromedp.KeyEvent("r"), chromedp.Click(button("only what sends")))
	sends := b.number("#count")
	require.Equal(b, fmt.Sprintf("in %d collectives", sends), value[string](b, "document.querySelector('.tile:nth-child(2) small').textContent"))
	b.do(chromedp.Click(button("model")))
	require.Equal(b, []string{"model"}, b.hash()["axis"])
	model := b.number("#count")
	require.Less(b, model, sends)
	b.do(chromedp.Click(button("backward")))
	require.Less(b, b.number("#count"), model)
	b.do(chromedp.Click(chromedp.CSS("#clear")), chromedp.KeyEvent("r"))
	require.Equal(b, all, b.number("#count"))
	require.Empty(b, b.hash())
}

// testTree selects layers of the repeated block in the tree, and checks the ops that the page then
// shows. blocks and all are the numbers of blocks and of ops.
func (b *tab) testTree(blocks, all int) {
	require.Equal(b, fmt.Sprintf("×%d", blocks), value[string](b, "document.querySelector('.times').textContent"))
	b.do(chromedp.Click("//div[@role='treeitem'][contains(., 'block')]//span[contains(@class, 'label')]"))
	every := b.number("#count")
	require.Less(b, every, all)
	require.Equal(b, []string{fmt.Sprintf("block ×%d", blocks)}, b.hash()["layer"])
	b.do(chromedp.Click(chromedp.CSS("[data-repeat='1']")))
	require.InDelta(b, every, b.number("#count"), float64(every)/4, "the layers that are alike are one in the list")
	require.True(b, value[bool](b, "[...document.querySelectorAll('#list .row')].every(r => /block1/.test(r.textContent))"))
	b.do(chromedp.Click(chromedp.CSS("#clear")))
}

// testPin clicks on an all_reduce in the list, and tests the details that the page then shows: the
// address opens them in a new window, a button goes to a neighbouring op, and another one closes
// them. A click on the time axis shows the op there.
func (b *tab) testPin() {
	b.do(chromedp.SendKeys(chromedp.CSS("#search"), "all_reduce"), chromedp.Click(chromedp.CSS("#list .row:nth-child(2)")), chromedp.WaitVisible(chromedp.CSS("#pinned .facts")))
	pinned := value[string](b, "document.querySelector('#pinned').textContent")
	require.Contains(b, pinned, "spmd.all_reduce")
	require.Contains(b, pinned, "step_test.go:")
	require.Contains(b, pinned, "made by")
	html, err := os.ReadFile(b.file)
	require.NoError(b, err)
	address := value[string](b, "location.hash")
	again := open(b.T, html, address)
	require.Equal(b, pinned, value[string](again, "document.querySelector('#pinned').textContent"))
	require.Equal(b, b.number("#count"), again.number("#count"))
	again.requireQuiet()

	op := b.hash().Get("op")
	b.do(chromedp.Click(chromedp.CSS("#pinned .neighbours button")))
	require.NotEqual(b, op, b.hash().Get("op"))
	b.do(chromedp.Click(chromedp.CSS("#pinned [aria-label=unpin]")), chromedp.Click(chromedp.CSS("#clear")))
	require.Empty(b, b.hash())
	top := value[float64](b, "document.querySelector('#canvas').getBoundingClientRect().top")
	b.do(chromedp.MouseClickXY(640, top+30)) // the layers on the time axis
	require.NotEmpty(b, b.hash().Get("op"))
}

// testKeys presses the keys of the page in turn and requires what each does: it selects ops, zooms,
// sorts, switches the theme, clears the selection, and moves in the list.
func (b *tab) testKeys() {
	before := b.hash().Get("op")
	b.do(chromedp.KeyEvent("]"))
	require.NotEqual(b, before, b.hash().Get("op"))
	b.do(chromedp.KeyEvent("f"))
	require.NotEmpty(b, b.hash().Get("view"), "zoomed to the op")
	b.do(chromedp.KeyEvent("0"), chromedp.KeyEvent("o"))
	require.NotEmpty(b, b.hash().Get("order"))
	require.Empty(b, b.hash().Get("view"))
	b.do(chromedp.KeyEvent("o"), chromedp.KeyEvent("t"))
	require.Equal(b, "dark", b.hash().Get("theme"))
	require.Equal(b, "dark", value[string](b, "document.documentElement.dataset.theme"))
	b.do(chromedp.KeyEvent(kb.Escape))
	require.Empty(b, b.hash().Get("op"))
	b.do(chromedp.Focus(chromedp.CSS("#list")), chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowDown))
	require.Equal(b, value[string](b, "document.querySelector('#list .row:nth-child(2)').dataset.op"), b.hash().Get("op"))
	b.do(chromedp.KeyEvent(kb.End))
	require.Equal(b, value[string](b, "document.querySelector('#list .row:last-child').dataset.op"), b.hash().Get("op"))
	require.True(b, value[bool](b, "document.querySelector('#list [aria-selected=true]') !== null"), "the list scrolls to the pinned op")
}

// An address whose fragment names unknown ops, panels, layers and views shows the page, with
// nothing pinned and no error.
func TestBadAddress(t *testing.T) {
	b := open(t, writePage(t, 1), "#op=999999999&panel=cellar&layer=nowhere&axis=z&view=3-x&repeat=-1&phase=none&theme=pink")
	require.Equal(t, value[int](b, "document.querySelectorAll('#pinned .facts').length"), 0)
	require.Contains(t, value[string](b, "document.querySelector('#count').textContent"), " of ")
	b.requireQuiet()
}

// absoluteTime matches a time with its unit.
const absoluteTime = `/\d ?(ns|µs|ms|s)\b/`

// The default machine has no scale, so the page has fractions of the step and no times. For a
// target it has times, and a roofline.
func TestScale(t *testing.T) {
	b := open(t, writePage(t, 2), "#op=60")
	require.False(t, value[bool](b, absoluteTime+".test(document.body.innerText)"), "%s", value[string](b, "document.body.innerText"))
	require.Contains(t, value[string](b, "document.querySelector('#tiles').textContent"), "Where the time goes")
	require.False(t, value[bool](b, "document.querySelector('#tab-roofline') !== null"))
	b.requireQuiet()

	m := transformer(t, mesh.MustParse("data=2,model=4"), 2)
	machine, err := cost.MachineNamed("v5e:2x4", m.Meshes[0].Mesh)
	require.NoError(t, err)
	b = open(t, pageOn(t, m, machine), "")
	require.True(t, value[bool](b, absoluteTime+".test(document.body.innerText)"))
	b.do(chromedp.Click(chromedp.CSS("#tab-roofline")), chromedp.WaitVisible(chromedp.CSS("#roofline svg")))
	require.Greater(t, value[int](b, "document.querySelectorAll('#roofline circle').length"), 3)
	require.Contains(t, value[string](b, "document.querySelector('#program').textContent"), "v5e:2x4")
	b.do(chromedp.Focus(chromedp.CSS("#roofline circle")), chromedp.KeyEvent(kb.Enter))
	require.Contains(t, value[string](b, "document.querySelector('#pinned').textContent"), "stablehlo.subtract", "the update of a weight takes longest")
	b.requireQuiet()
}

// The panel of the memory shows the curves before and after values are computed again, and the
// limit. Without a limit it has no curves.
func TestFittingIsDrawn(t *testing.T) {
	m := module(t, "../testdata/memory/transformer.mlir")
	free, err := compile.Explain(t.Context(), m.Clone(), compile.Options{})
	require.NoError(t, err)
	e, err := compile.Explain(t.Context(), m, compile.Options{MemoryLimit: report.New(free.Program()).Memory.Peak * 7 / 10})
	require.NoError(t, err)
	p, err := page.New(e, nil)
	require.NoError(t, err)
	var html bytes.Buffer
	require.NoError(t, p.Write(&html))
	b := openAndWait(t, html.Bytes(), "#panel=memory", "#buffers .row")
	require.Equal(t, 3, value[int](b, "document.querySelectorAll('#fitting .before, #fitting .after, #fitting .limit').length"))
	require.Contains(t, value[string](b, "document.querySelector('#fitting').textContent"), "the limit is")
	require.Contains(t, value[string](b, "document.querySelector('#fitting').textContent"), "recompute: ")
	require.True(t, value[bool](b, "document.querySelector('#fitting svg').getBoundingClientRect().height > 50"))
	b.requireQuiet()
	b = openAndWait(t, writePage(t, 1), "#panel=memory", "#buffers .row")
	require.Equal(t, 0, value[int](b, "document.querySelector('#fitting').getBoundingClientRect().height"))
}

// A page about two programs shows them side by side, or one of them; their texts name both meshes.
// The same programs give the same bytes.
func TestPair(t *testing.T) {
	pages, explained := [2]*page.Page{}, [2]*explain.Explanation{}
	for i, dm := range []string{"data=2,model=4", "data=8,model=1"} {
		e, err := compile.Explain(t.Context(), transformer(t, mesh.MustParse(dm), 2), compile.Options{})
		require.NoError(t, err)
		explained[i] = e
		pages[i], err = page.New(e, nil)
		require.NoError(t, err)
	}
	diff := report.Compare(explained[0].Program(), explained[1].Program(), cost.Default())
	var first, again bytes.Buffer
	require.NoError(t, page.NewPair(pages[0], pages[1], diff).Write(&first))
	require.NoError(t, page.NewPair(pages[0], pages[1], diff).Write(&again))
	require.Equal(t, first.Bytes(), again.Bytes())

	b := openAndWait(t, first.Bytes(), "", "#both .sides")
	text := value[string](b, "document.querySelector('#both').innerText")
	for _, want := range []string{"mesh data=2,model=4", "mesh data=8,model=1", "Bytes sent, by layer", "block ×2/down", "Memory at the peak"} {
		require.Contains(t, text, want)
	}
	require.False(t, value[bool](b, absoluteTime+".test(document.body.innerText)"), "%s", text)
	require.False(t, value[bool](b, "document.documentElement.scrollWidth > innerWidth"))
	b.do(chromedp.Click(chromedp.Search("//button[text()='B']")), chromedp.WaitVisible(chromedp.CSS("#list .row")))
	require.Equal(t, "B: train_step", value[string](b, "document.querySelector('h1').textContent"))
	require.Equal(t, "mesh data=8, model=1", value[string](b, "document.querySelector('#mesh').getAttribute('aria-label')"))
	b.do(chromedp.KeyEvent("]"))
	require.Equal(t, []string{"b"}, b.hash()["side"], "what is chosen does not change the side")
	b.do(chromedp.Click(chromedp.Search("//button[text()='A and B']")), chromedp.WaitVisible(chromedp.CSS("#both .sides")))
	b.requireQuiet()
}

// On a narrow window nothing may be wider than the window.
func TestNarrow(t *testing.T) {
	b := open(t, writePage(t, 2), "")
	b.do(chromedp.EmulateViewport(420, 900))
	for _, hash := range []string{"", "#panel=memory", "#op=60&theme=dark"} {
		value[string](b, fmt.Sprintf("location.hash = %q", hash))
		b.do(chromedp.WaitVisible(chromedp.CSS("#ops")))
		require.LessOrEqual(t, value[int](b, "document.documentElement.scrollWidth"), 420, hash)
	}
	b.requireQuiet()
}

// Long rules stay within the panel of the findings, whose small ones are listed on demand.
func TestLongFindings(t *testing.T) {
	p := oneCollective(t)
	p.Suggest(suggestions())
	var html bytes.Buffer
	require.NoError(t, p.Write(&html))
	b := open(t, html.Bytes(), "")
	count := "document.querySelectorAll('.finding').length"
	require.Equal(t, len(p.Findings)-3, value[int](b, count))
	b.do(chromedp.Click(chromedp.Search("//button[contains(., '3 more, each below 0.1 %')]")))
	require.Equal(t, len(p.Findings), value[int](b, count))
	for _, width := range []int64{1400, 500} {
		b.do(chromedp.EmulateViewport(width, 900))
		require.Empty(t, value[string](b, `[...document.querySelectorAll("#findings *")].filter(e => {
			const panel = document.querySelector("#findings .body"), box = e.getBoundingClientRect();
			return e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== "inline" || box.right > panel.getBoundingClientRect().left + panel.clientWidth + 1 && panel.contains(e);
		}).map(e => e.textContent).join("\n")`), width)
	}
	require.Equal(t, p.Findings[1].Line, value[string](b, "document.querySelectorAll('.finding code')[1].textContent"))
	b.requireQuiet()
}

// The contrast of texts with their background is at least 4.5 to 1, as the Web Content
// Accessibility Guidelines demand.
func TestContrast(t *testing.T) {
	b := open(t, writePage(t, 2), "#theme=light&op=60")
	for _, theme := range []string{"light", "dark"} {
		if theme == "dark" {
			b.do(chromedp.KeyEvent("t"), chromedp.KeyEvent("t"))
		}
		require.Equal(t, theme, value[string](b, "document.documentElement.dataset.theme"))
		low := value[string](b, `(() => {
			const rgb = s => s.match(/[\d.]+/g).slice(0, 3).map(Number);
			const luminance = s => rgb(s).map(v => v / 255).map(v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4).reduce((n, v, i) => n + v * [.2126, .7152, .0722][i], 0);
			const groundOf = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (!/, 0\)$|transparent/.test(c)) return c; } return "rgb(255, 255, 255)"; };
			const out = [];
			for (const e of document.querySelectorAll("h1, h2, h3, p, .soft, .tab, .button, .value, .legend > span, .gain, .cost, .tag, .label, .times, .nr, .number, .row > span, dt, dd, code")) {
				if (!e.textContent.trim() || !e.offsetParent) continue;
				const [a, b] = [luminance(getComputedStyle(e).color), luminance(groundOf(e))].sort((x, y) => y - x);
				if ((a + .05) / (b + .05) < 4.5) out.push(e.className + " " + e.textContent.slice(0, 20) + " " + ((a + .05) / (b + .05)).toFixed(2));
			}
			return [...new Set(out)].slice(0, 8).join("; ");
		})()`)
		require.Empty(t, low, theme)
	}
}

// A page has four scripts and as many ends of scripts. The texts of the program add none, although
// the names of its module, its parameters and its layers are scripts.
func TestTextsAreData(t *testing.T) {
	const hostile = "</script><script>alert(1)</script><!-- & \u2028"
	text := strings.ReplaceAll(`module @"NAME" {
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>} loc("NAME")) -> (tensor<8x8xf32> {jax.result_info = "NAME"}) {
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> loc("NAME/NAME"("NAME.py":1:1))
  return %0 : tensor<8x8xf32>
}
}`, "NAME", hostile)
	for _, html := range [][]byte{writePage(t, 1), pageOf(t, ir.MustParse(text))} {
		require.Equal(t, 4, bytes.Count(html, []byte("<script")))
		require.Equal(t, 4, bytes.Count(html, []byte("</script")))
		require.NotContains(t, string(html), "<!--")
	}
}
