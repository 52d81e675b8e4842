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

	"github.com/gospmd/gospmd/internal/longtest"
	"github.com/gospmd/gospmd/internal/needs"
	"github.com/gospmd/gospmd/ir"
)

// browsers are the names of the programs that can show a page.
var browsers = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "headless-shell"}

// tab is a page in a browser.
type tab struct {
	*testing.T
	ctx     context.Context
	file    string
	console <-chan string
}

// open shows a page, with what stands behind the # of its address.
func open(t *testing.T, html []byte, hash string) *tab {
	t.Helper()
	path := needs.Tool(t, "chromium", browsers...)
	file := filepath.Join(t.TempDir(), "page.html")
	require.NoError(t, os.WriteFile(file, html, 0o644))
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.ExecPath(path))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, time.Minute)
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
	b.quiet()
	b.do(chromedp.WaitVisible(chromedp.CSS("#list .row")))
	return b
}

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	require.NoError(b, chromedp.Do(b.ctx, steps...))
}

// value returns the value of an expression of the page.
func value[T any](b *tab, expression string) T {
	b.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression))
	require.NoError(b, err)
	return v
}

// hash returns what the address says behind the #.
func (b *tab) hash() url.Values {
	b.Helper()
	v, err := url.ParseQuery(strings.TrimPrefix(value[string](b, "location.hash"), "#"))
	require.NoError(b, err)
	return v
}

// number returns the number at the start of what the element says.
func (b *tab) number(selector string) (n int) {
	b.Helper()
	text := value[string](b, fmt.Sprintf("document.querySelector(%q).textContent", selector))
	_, err := fmt.Sscanf(strings.ReplaceAll(text, ",", ""), "%d", &n)
	require.NoError(b, err, text)
	return n
}

// quiet demands that the page has written nothing to the console.
func (b *tab) quiet() {
	b.Helper()
	select {
	case m := <-b.console:
		b.Fatal("the page writes to the console: ", m)
	default:
	}
}

// Small programs have pages too.
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
			b.quiet()
			require.Contains(t, value[string](b, "document.querySelector('#pinned').textContent"), "memory then")
			b.quiet()
		})
	}
}

// elements is how many elements a page may have, however long the program is.
const elements = 1500

func TestBrowser(t *testing.T) {
	for _, blocks := range longtest.Pick([]int{4}, []int{4, 32}) {
		t.Run(fmt.Sprint(blocks, " layers"), func(t *testing.T) {
			html := written(t, blocks)
			require.Less(t, len(html), limit)
			b := open(t, html, "")
			all := b.number("#count")
			require.Greater(t, all, 60*blocks)
			bounded := func(what string) {
				b.Helper()
				require.Less(t, value[int](b, "document.querySelectorAll('*').length"), elements, what)
				require.False(t, value[bool](b, "document.documentElement.scrollWidth > innerWidth || document.documentElement.scrollHeight > innerHeight"), "%s: the page is larger than the window", what)
				b.quiet()
			}
			bounded("at first")
			b.testFilters(all)
			bounded("filtered")
			b.testTree(blocks, all)
			bounded("a layer")
			b.testPin()
			bounded("pinned")
			b.testKeys()
			bounded("after keys")
		})
	}
}

// testFilters searches and filters.
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
	b.do(chromedp.Click(button("only what sends")))
	sends := b.number("#count")
	require.Equal(b, fmt.Sprintf("in %d collectives", sends), value[string](b, "document.querySelector('.tile:nth-child(2) small').textContent"))
	b.do(chromedp.Click(button("model")))
	require.Equal(b, []string{"model"}, b.hash()["axis"])
	model := b.number("#count")
	require.Less(b, model, sends)
	b.do(chromedp.Click(button("backward")))
	require.Less(b, b.number("#count"), model)
	b.do(chromedp.Click(chromedp.CSS("#clear")))
	require.Equal(b, all, b.number("#count"))
	require.Empty(b, b.hash())
}

// testTree picks layers from the tree.
func (b *tab) testTree(blocks, all int) {
	require.Equal(b, fmt.Sprintf("×%d", blocks), value[string](b, "document.querySelector('.times').textContent"))
	b.do(chromedp.Click("//div[@role='treeitem'][contains(., 'block')]//span[contains(@class, 'label')]"))
	every := b.number("#count")
	require.Less(b, every, all)
	require.Equal(b, []string{fmt.Sprintf("block ×%d", blocks)}, b.hash()["layer"])
	b.do(chromedp.Click(chromedp.CSS("[data-repeat='1']")))
	require.InDelta(b, every/blocks, b.number("#count"), float64(every)/float64(blocks)/4)
	require.True(b, value[bool](b, "[...document.querySelectorAll('#list .row')].every(r => /block1/.test(r.textContent))"))
	b.do(chromedp.Click(chromedp.CSS("#clear")))
}

// testPin pins an op by a click, and opens the address in a new window.
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
	again.quiet()

	op := b.hash().Get("op")
	b.do(chromedp.Click(chromedp.CSS("#pinned .neighbours button")))
	require.NotEqual(b, op, b.hash().Get("op"))
	b.do(chromedp.Click(chromedp.CSS("#pinned [aria-label=unpin]")), chromedp.Click(chromedp.CSS("#clear")))
	require.Empty(b, b.hash())
	top := value[float64](b, "document.querySelector('#canvas').getBoundingClientRect().top")
	b.do(chromedp.MouseClickXY(640, top+30)) // the layers on the time axis
	require.NotEmpty(b, b.hash().Get("op"))
}

// testKeys does without the mouse.
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
	require.Equal(b, "1", b.hash().Get("op"))
	b.do(chromedp.KeyEvent(kb.End))
	require.Equal(b, fmt.Sprint(b.number("#count")-1), b.hash().Get("op"))
	require.True(b, value[bool](b, "document.querySelector('#list [aria-selected=true]') !== null"), "the list scrolls to the pinned op")
}

// An address that is not of this page shows the page.
func TestBadAddress(t *testing.T) {
	b := open(t, written(t, 1), "#op=999999999&layer=nowhere&axis=z&view=3-x&repeat=-1&phase=none&theme=pink")
	require.Equal(t, value[int](b, "document.querySelectorAll('#pinned .facts').length"), 0)
	require.Contains(t, value[string](b, "document.querySelector('#count').textContent"), "in the order")
	b.quiet()
}

// Texts of a program can not end the script that holds them.
func TestTextsAreData(t *testing.T) {
	html := written(t, 1)
	require.Equal(t, 2, bytes.Count(html, []byte("<script")))
	require.Equal(t, 2, bytes.Count(html, []byte("</script")))
}
