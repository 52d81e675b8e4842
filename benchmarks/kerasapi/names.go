package main

// This file reads the names of Keras and of gospmd.

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"

	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/metrics"
)

//go:embed names.json
var namesJSON []byte

// module is a module of Keras.
type module struct {
	Module string `json:"module"`
	Names  []name `json:"names"`
}

// name is a public name, with its aliases.
type name struct {
	Name    string   `json:"name"`
	Aliases []string `json:"aliases"`
	Class   bool     `json:"class"`
}

// kerasNames returns the names of names.json, and the version of Keras.
func kerasNames() ([]module, string, error) {
	var file struct {
		MadeWith struct {
			Keras string `json:"keras"`
		} `json:"made_with"`
		Modules []module `json:"modules"`
	}
	err := json.Unmarshal(namesJSON, &file)
	return file.Modules, file.MadeWith.Keras, err
}

// packages has the Go package, below keras, of the Keras modules whose names differ.
var packages = map[string]string{"optimizers.schedules": "optimizers", "ops.image": "ops"}

// others has, for the Keras names that have another name in gospmd, that name, as package.Name.
var others = map[string]string{
	"layers.Input": "keras.Input", "layers.InputLayer": "keras.Input", "layers.InputSpec": "layers.Spec", "layers.serialize": "saving.SaveModel",
	"layers.deserialize": "saving.LoadModel", "layers.Wrapper": "layers.Composite",
	"losses.Loss": "losses.New", "losses.serialize": "saving.SaveModel", "losses.deserialize": "saving.LoadModel",
	"metrics.Metric": "metrics.NewStateful", "metrics.MeanMetricWrapper": "metrics.New", "metrics.serialize": "saving.SaveModel",
	"metrics.huber": "losses.Huber", "metrics.log_cosh": "losses.LogCosh",
	"metrics.binary_focal_crossentropy": "losses.BinaryFocalCrossentropy", "metrics.categorical_focal_crossentropy": "losses.CategoricalFocalCrossentropy",
	"metrics.deserialize":  "saving.LoadModel",
	"optimizers.Optimizer": "optimizers.New", "optimizers.serialize": "saving.SaveModel", "optimizers.deserialize": "saving.LoadModel",
	"optimizers.LossScaleOptimizer":             "optimizers.NewLossScaleOptimizer",
	"optimizers.schedules.LearningRateSchedule": "optimizers.Schedule", "optimizers.schedules.serialize": "saving.SaveModel", "optimizers.schedules.deserialize": "saving.LoadModel",
	"callbacks.Callback": "keras.Callback", "callbacks.LambdaCallback": "callbacks.Lambda", "callbacks.History": "keras.History", "callbacks.ProgbarLogger": "keras.Verbose", "callbacks.CallbackList": "keras.Callbacks",
	"distribution.distribution": "distribution.Current",
	"initializers.serialize":    "saving.SaveModel", "initializers.deserialize": "saving.LoadModel",
	"regularizers.serialize": "saving.SaveModel", "regularizers.deserialize": "saving.LoadModel",
	"constraints.serialize": "saving.SaveModel", "constraints.deserialize": "saving.LoadModel",
	"activations.serialize": "saving.SaveModel", "activations.deserialize": "saving.LoadModel",
	"activations.exponential": "ops.Exp", "activations.glu": "ops.Glu", "activations.sigmoid": "ops.Sigmoid", "activations.tanh": "ops.Tanh",
	"random.randint": "random.RandInt", "random.dropout": "random.TracedKey.Dropout", "random.beta": "random.TracedKey.Beta", "random.gamma": "random.TracedKey.LogGamma",
	"random.shuffle": "random.TracedKey.Permutation", "random.categorical": "random.TracedKey.Categorical",
	"ops.abs": "ops.Absolute", "ops.full": "ops.Filled", "ops.dtype": "ops.DTypeOf", "ops.cdist": "ops.CDist",
	"ops.ctc_decode": "ops.CTCDecode", "ops.ctc_loss": "ops.CTCLoss", "ops.fft2": "ops.FFT2", "ops.ifft2": "ops.IFFT2", "ops.irfft": "ops.IRFFT",
	"ops.istft": "ops.ISTFT", "ops.isin": "ops.IsIn", "ops.jvp": "ops.JVP", "ops.psnr": "ops.PSNR", "ops.rms_normalization": "ops.RMSNormalization",
	"ops.searchsorted": "ops.SearchSorted", "ops.svd": "ops.SVD", "ops.allclose": "ops.AllClose",
	"ops.image.extract_patches_3d": "ops.ExtractPatches3D", "ops.image.ssim": "ops.SSIM",
	"ops.image.rgb_to_grayscale": "ops.RGBToGrayscale", "ops.image.rgb_to_hsv": "ops.RGBToHSV", "ops.image.hsv_to_rgb": "ops.HSVToRGB",
	"ops.fft": "ops.FFT", "ops.rfft": "ops.RFFT", "ops.stft": "ops.STFT",
}

// exports holds the exported names, by package and name.
type exports map[string]map[string]bool

// exportedNames returns the exported functions, types, variables and methods (as Type.Method) of
// the package of a module, and of packages keras, layers, losses, ops and saving, without their
// tests. root is the repository's root, where the packages are; elsewhere it is an error.
func exportedNames(root, of string) (exports, error) {
	out := make(exports)
	for _, pkg := range []string{packageOf(of), "keras", "layers", "losses", "ops", "saving"} {
		dir := filepath.Join(root, "keras", pkg)
		if pkg == "keras" {
			dir = filepath.Join(root, "keras")
		}
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err == nil && len(files) == 0 {
			err = fmt.Errorf("there is no Go file in %s", dir)
		}
		if err != nil {
			return nil, fmt.Errorf("kerasapi: the packages of the module are read: run it in its directory, or with -C: %w", err)
		}
		out[pkg] = make(map[string]bool)
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
			if err != nil {
				return nil, fmt.Errorf("kerasapi: %w", err)
			}
			for _, d := range parsed.Decls {
				addExported(d, out[pkg])
			}
		}
	}
	return out, nil
}

// addExported adds to the set to the exported names that d declares: functions, types, variables,
// and methods as Type.Method. Constants and names that are not exported get false.
func addExported(d ast.Decl, to map[string]bool) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if !d.Name.IsExported() {
			return
		}
		name := d.Name.Name
		if d.Recv != nil {
			name = receiver(d.Recv.List[0].Type) + "." + name
		}
		to[name] = true
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				to[s.Name.Name] = s.Name.IsExported()
			case *ast.ValueSpec: // constructors that a table makes
				for _, n := range s.Names {
					to[n.Name] = n.IsExported() && d.Tok == token.VAR
				}
			}
		}
	}
}

// receiver returns the name of a method's receiver type, without pointer and type parameters; "" if
// t is another expression.
func receiver(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr:
		return receiver(t.X)
	case *ast.IndexExpr:
		return receiver(t.X)
	case *ast.Ident:
		return t.Name
	}
	return ""
}

func packageOf(module string) string {
	if p, ok := packages[module]; ok {
		return p
	}
	return module
}

// goName returns the name, of a module of Keras, as the table writes it: its name in Keras, and in
// brackets another name in gospmd. It is "" if e, the names that gospmd exports, does not have it.
func (n name) goName(module string, e exports) string {
	pkg := packageOf(module)
	if other, ok := others[module+"."+n.Name]; ok {
		p, name, _ := strings.Cut(other, ".")
		if !e[p][name] {
			return ""
		}
		return fmt.Sprintf("`%s` (`%s`)", n.Name, other)
	}
	for _, key := range append([]string{n.Name}, n.Aliases...) {
		if e[pkg][key] {
			return "`" + n.Name + "`"
		}
		if camel := camelCase(key); e[pkg][camel] {
			return fmt.Sprintf("`%s` (`%s.%s`)", n.Name, pkg, camel)
		}
		if !n.Class && isFoundByName(module, key) {
			return fmt.Sprintf("`%s` (`%s.Get(%q)`)", n.Name, pkg, key)
		}
	}
	return ""
}

// isFoundByName reports whether Get of the module, losses or metrics, finds one by the name key.
func isFoundByName(module, key string) bool {
	switch module {
	case "losses":
		l, err := losses.Get(key)
		return err == nil && l != nil
	case "metrics":
		return metrics.Check(key) == nil
	}
	return false
}

// camelCase converts the name of a Python function to Go's form: each part between underscores with
// a capital letter, and no underscores.
func camelCase(s string) string {
	var out strings.Builder
	for part := range strings.SplitSeq(s, "_") {
		if part != "" {
			out.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
	}
	return out.String()
}
