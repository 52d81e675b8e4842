package main

// This file draws images to learn from.

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// shape is a class of images.
type shape struct {
	name  string
	color color.RGBA
	holds func(x, y float64) bool // of the square from -1 to 1
}

var shapes = []shape{
	{"blue_triangle", color.RGBA{50, 70, 220, 255}, func(x, y float64) bool { return y < 1 && y > 2*math.Abs(x)-1 }},
	{"green_square", color.RGBA{40, 190, 70, 255}, func(x, y float64) bool { return math.Abs(x) < 0.9 && math.Abs(y) < 0.9 }},
	{"red_circle", color.RGBA{220, 50, 40, 255}, func(x, y float64) bool { return x*x+y*y < 1 }},
}

// drawSize is the height and width of the images.
const drawSize = 80

// drawShapes writes n images of each class into a directory of its name.
func drawShapes(dir string, n, seed int) error {
	r := rand.New(rand.NewPCG(uint64(seed), 0))
	for _, s := range shapes {
		class := filepath.Join(dir, s.name)
		if err := os.MkdirAll(class, 0o755); err != nil {
			return fmt.Errorf("cannot draw images: %w", err)
		}
		for i := range n {
			if err := save(filepath.Join(class, fmt.Sprintf("%04d.png", i)), s.draw(r)); err != nil {
				return fmt.Errorf("cannot draw images: %w", err)
			}
		}
	}
	return nil
}

func save(path string, img image.Image) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(png.Encode(f, img), f.Close())
}

// draw returns an image of the shape with random place and size, on noisy grey.
func (s shape) draw(r *rand.Rand) image.Image {
	img := image.NewRGBA(image.Rect(0, 0, drawSize, drawSize))
	radius := drawSize * (0.15 + 0.2*r.Float64())
	cx, cy := radius+r.Float64()*(drawSize-2*radius), radius+r.Float64()*(drawSize-2*radius)
	ground := 60 + r.IntN(120)
	for y := range drawSize {
		for x := range drawSize {
			g := uint8(ground + r.IntN(40))
			c := color.RGBA{g, g, g, 255}
			if s.holds((float64(x)-cx)/radius, (float64(y)-cy)/radius) {
				c = s.color
			}
			img.SetRGBA(x, y, c)
		}
	}
	return img
}
