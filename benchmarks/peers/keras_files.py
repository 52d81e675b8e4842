"""Writes .keras files over Keras' layers and compile options, and what Keras gives for each.

Each file NAME.keras is a small model that was trained for an epoch, and beside it stands NAME.json
(keras_answers.py).

    python keras_files.py DIR [NAME…]
"""

import os
import sys

from keras_answers import array, fit, given, results, start, write_json

import keras
import numpy as np
from keras import constraints as C
from keras import initializers as I
from keras import layers as L
from keras import losses, metrics, ops, optimizers
from keras import regularizers as R

SEQUENCE, IMAGE, VOLUME, VECTOR = (8, 4), (8, 8, 3), (4, 4, 4, 2), (6,)

# Layers by the shape of their input: the class and the options of each variant.
LAYERS = {
    VECTOR: [
        ("MelSpectrogram", [{"fft_length": 4, "sequence_stride": 2, "sampling_rate": 100, "num_mel_bins": 2}, {"fft_length": 6, "sequence_length": 3, "sequence_stride": 2, "window": "hamming", "sampling_rate": 80, "min_freq": 1.0, "power_to_db": False}]),
        ("Dense", [{"units": 4}, {"units": 4, "activation": "gelu", "use_bias": False}, {"units": 4, "kernel_regularizer": "l2", "bias_constraint": "non_neg"}]),
        ("Activation", [{"activation": a} for a in ["relu", "selu", "softplus", "softsign", "tanh", "silu", "mish", "hard_sigmoid", "leaky_relu", "log_softmax", "elu", "exponential", "relu6", "linear", "softmax", "hard_silu", "hard_tanh", "celu", "squareplus", "log_sigmoid", "tanh_shrink", "soft_shrink", "hard_shrink", "sparsemax", "sparse_sigmoid"]]),
        ("ReLU", [{}, {"max_value": 0.5, "negative_slope": 0.1, "threshold": 0.05}]), ("LeakyReLU", [{}, {"negative_slope": 0.1}]), ("PReLU", [{}]),
        ("ELU", [{}, {"alpha": 0.5}]), ("Softmax", [{}, {"axis": -1}]), ("Dropout", [{"rate": 0.0}]), ("Identity", [{}]),
        ("BatchNormalization", [{}, {"momentum": 0.9, "scale": False}, {"center": False, "epsilon": 0.01}]), ("LayerNormalization", [{}, {"scale": False}]),
        ("RMSNormalization", [{}]), ("UnitNormalization", [{}]), ("ActivityRegularization", [{"l1": 0.01}, {"l2": 0.01}]), ("RepeatVector", [{"n": 3}]),
        ("Reshape", [{"target_shape": (3, 2)}, {"target_shape": (-1, 3)}]), ("Flatten", [{}]), ("Rescaling", [{"scale": 0.5, "offset": 0.1}]),
        ("GaussianNoise", [{"stddev": 0.0}]), ("GaussianDropout", [{"rate": 0.0}]), ("AlphaDropout", [{"rate": 0.0}]),
        ("EinsumDense", [{"equation": "ab,bc->ac", "output_shape": 5, "bias_axes": "c"}, {"equation": "ab,bcd->acd", "output_shape": (2, 3)}]),
        ("SpectralNormalization", [{"layer": L.Dense(4)}]), ("Normalization", [{"mean": 0.4, "variance": 0.2}]),
    ],
    SEQUENCE: [
        ("STFTSpectrogram", [{"frame_length": 4, "mode": "magnitude"}, {"frame_length": 3, "fft_length": 6, "window": "blackman", "expand_dims": True, "padding": "same"}, {"frame_length": 4, "window": None, "scaling": None}]),
        ("Conv1D", [{"filters": 3, "kernel_size": 3}, {"filters": 4, "kernel_size": 2, "strides": 2, "padding": "same"}, {"filters": 3, "kernel_size": 3, "padding": "causal", "dilation_rate": 2}]),
        ("Conv1DTranspose", [{"filters": 3, "kernel_size": 3}, {"filters": 3, "kernel_size": 3, "strides": 2, "padding": "same"}]),
        ("SeparableConv1D", [{"filters": 3, "kernel_size": 3}]), ("DepthwiseConv1D", [{"kernel_size": 3, "depth_multiplier": 2}]),
        ("MaxPooling1D", [{}, {"pool_size": 3, "strides": 1, "padding": "same"}]), ("AveragePooling1D", [{"pool_size": 2}, {"pool_size": 3, "strides": 1, "padding": "same"}]),
        ("GlobalMaxPooling1D", [{}, {"keepdims": True}]), ("GlobalAveragePooling1D", [{}, {"keepdims": True}]), ("UpSampling1D", [{"size": 2}]),
        ("ZeroPadding1D", [{"padding": 2}, {"padding": (0, 1)}]), ("Cropping1D", [{"cropping": 1}, {"cropping": (0, 2)}]), ("Permute", [{"dims": (2, 1)}]),
        ("SimpleRNN", [{"units": 3}, {"units": 3, "return_sequences": True, "activation": "relu"}]), ("LSTM", [{"units": 3}, {"units": 3, "go_backwards": True}, {"units": 3, "return_sequences": True, "unit_forget_bias": False}, {"units": 3, "recurrent_regularizer": "l2", "recurrent_constraint": "unit_norm", "activity_regularizer": "l1"}]),
        ("GRU", [{"units": 3}, {"units": 3, "reset_after": False}, {"units": 3, "return_sequences": True}]), ("SpatialDropout1D", [{"rate": 0.0}]),
        ("Bidirectional", [{"layer": L.LSTM(3)}, {"layer": L.GRU(3, return_sequences=True), "merge_mode": "sum"}]), ("TimeDistributed", [{"layer": L.Dense(3)}]),
        ("RNN", [{"cell": L.LSTMCell(3)}, {"cell": [L.GRUCell(3), L.SimpleRNNCell(2)]}]), ("LayerNormalization", [{"axis": [1, 2]}]), ("GroupNormalization", [{"groups": 2}]),
        ("Masking", [{}]), ("Dense", [{"units": 5}]), ("Pipeline", [{"layers": [L.Rescaling(0.5), L.Dense(3)]}]),
    ],
    IMAGE: [
        ("Conv2D", [{"filters": 3, "kernel_size": 3}, {"filters": 4, "kernel_size": (2, 3), "strides": 2, "padding": "same", "data_format": "channels_first"}, {"filters": 6, "kernel_size": (1, 3), "strides": 2, "padding": "same", "groups": 3}, {"filters": 3, "kernel_size": 3, "dilation_rate": 2}]),
        ("Conv2DTranspose", [{"filters": 3, "kernel_size": 3}, {"filters": 3, "kernel_size": 3, "strides": 2, "padding": "same", "output_padding": 1}]),
        ("SeparableConv2D", [{"filters": 3, "kernel_size": 3}, {"filters": 3, "kernel_size": 3, "depth_multiplier": 2, "activation": "relu"}]), ("DepthwiseConv2D", [{"kernel_size": 3}, {"kernel_size": 2, "depth_multiplier": 2}]),
        ("MaxPooling2D", [{"pool_size": 2}, {"pool_size": (2, 1), "data_format": "channels_first"}, {"pool_size": (3, 2), "strides": 1, "padding": "same"}]), ("AveragePooling2D", [{"pool_size": 2}, {"pool_size": 3, "strides": 2, "padding": "same"}]),
        ("GlobalMaxPooling2D", [{}, {"data_format": "channels_first"}]), ("GlobalAveragePooling2D", [{}, {"keepdims": True}]), ("UpSampling2D", [{}, {"size": (1, 2), "interpolation": "bilinear"}]),
        ("ZeroPadding2D", [{"padding": 1}, {"padding": ((0, 1), (2, 0))}]), ("Cropping2D", [{"cropping": 1}, {"cropping": ((0, 1), (2, 0))}]),
        ("SpatialDropout2D", [{"rate": 0.0}]), ("BatchNormalization", [{}, {"axis": 1}, {"renorm": True, "gamma_regularizer": "l2", "beta_constraint": "non_neg"}]), ("GroupNormalization", [{"groups": 3}, {"groups": -1}]),
        ("AdaptiveAveragePooling2D", [{"output_size": 3}]), ("AdaptiveMaxPooling2D", [{"output_size": (2, 3)}]), ("Resizing", [{"height": 5, "width": 6}, {"height": 16, "width": 16, "interpolation": "nearest"}]),
        ("CenterCrop", [{"height": 4, "width": 6}]), ("RandomFlip", [{}]), ("RandomRotation", [{"factor": 0.1}]), ("RandomZoom", [{"height_factor": 0.2}]), ("RandomTranslation", [{"height_factor": 0.1, "width_factor": 0.1}]),
        ("RandomContrast", [{"factor": 0.1}]), ("RandomBrightness", [{"factor": 0.1}]), ("RandomCrop", [{"height": 6, "width": 6}]), ("Permute", [{"dims": (3, 1, 2)}]), ("Flatten", [{}, {"data_format": "channels_first"}]),
        ("ConvLSTM1D", [{"filters": 2, "kernel_size": 3}]), ("Equalization", [{"value_range": (0, 1)}]), ("Solarization", [{"value_range": (0, 1)}]),
        ("RandomShear", [{"x_factor": (0.1, 0.2), "y_factor": (0.0, 0.1), "fill_mode": "wrap"}]), ("RandomHue", [{"factor": 0.2, "value_range": (0, 1)}]), ("RandomSaturation", [{"factor": (0.4, 0.6)}]),
        ("RandomGrayscale", [{"factor": 0.3}]), ("RandomInvert", [{"value_range": (0, 1)}]), ("RandomPosterization", [{"factor": 4}]), ("RandomColorDegeneration", [{"factor": 0.5}]),
        ("RandomColorJitter", [{"brightness_factor": 0.1, "hue_factor": 0.2, "value_range": (0, 1)}]), ("RandomSharpness", [{"factor": 0.5}]), ("RandomGaussianBlur", [{"kernel_size": (3, 5)}, {"sigma": 0.5}]),
        ("RandomErasing", [{}, {"fill_value": 0.5, "scale": (0.1, 0.2)}]), ("RandomPerspective", [{"scale": 0.3}]), ("RandAugment", [{"value_range": (0, 1)}]), ("AugMix", [{"value_range": (0, 1)}]), ("ContrastLimitedAdaptiveHistogramEqualization", [{"value_range": (0, 1), "tile_grid_size": (2, 3)}]), ("AutoContrast", [{"value_range": (0, 1)}]),
    ],
    VOLUME: [
        ("Conv3D", [{"filters": 3, "kernel_size": 2}, {"filters": 3, "kernel_size": 3, "strides": 2, "padding": "same"}]), ("Conv3DTranspose", [{"filters": 2, "kernel_size": 2}]),
        ("MaxPooling3D", [{}]), ("AveragePooling3D", [{"pool_size": 2}]), ("GlobalMaxPooling3D", [{}]), ("GlobalAveragePooling3D", [{}]), ("UpSampling3D", [{}]), ("ZeroPadding3D", [{}]), ("Cropping3D", [{}]),
        ("SpatialDropout3D", [{"rate": 0.0}]), ("ConvLSTM2D", [{"filters": 2, "kernel_size": 2}]), ("AdaptiveAveragePooling3D", [{"output_size": 2}]),
    ],
}  # fmt: skip
RANDOM = ("Random", "RandAugment", "AugMix")

def several(seed):
    """Optimizers by variables, not in alphabetical order."""
    rules = optimizers.OptimizerMap(optimizers.SGD(0.1, momentum=0.9))
    rules[".*/kernel"] = optimizers.Adam(0.01 * seed)
    rules[".*/bia."] = optimizers.Adam(optimizers.schedules.CosineDecay(0.1, 3))
    return rules


OPTIMIZERS = [
    ("SGD", {"learning_rate": 0.1}), ("SGD", {"momentum": 0.9, "nesterov": True}), ("RMSprop", {}), ("RMSprop", {"centered": True, "momentum": 0.5}), ("Adam", {}), ("Adam", {"amsgrad": True, "weight_decay": 0.01}),
    ("AdamW", {}), ("Adagrad", {}), ("Adadelta", {"learning_rate": 1.0}), ("Adamax", {}), ("Nadam", {}), ("Ftrl", {}), ("Ftrl", {"l1_regularization_strength": 0.01}), ("Lion", {}), ("Lamb", {}), ("Adafactor", {}), ("Muon", {}),
    ("Adam", {"clipnorm": 0.1}), ("Adam", {"global_clipnorm": 0.1}), ("Adam", {"clipvalue": 0.01}), ("Adam", {"use_ema": True}), ("SGD", {"gradient_accumulation_steps": 2}), ("LossScaleOptimizer", {"inner_optimizer": optimizers.SGD(0.1)}),
    ("ScheduleFreeAdamW", {}), ("MultiOptimizer", {"optimizer_map": several(1)}), ("LossScaleOptimizer", {"inner_optimizer": optimizers.MultiOptimizer(several(2))}),
]  # fmt: skip
SCHEDULES = [
    ("ExponentialDecay", (0.01, 3, 0.5)), ("InverseTimeDecay", (0.01, 3, 0.5)), ("PolynomialDecay", (0.01, 4)), ("CosineDecay", (0.01, 6)), ("CosineDecayRestarts", (0.01, 2)),
    ("PiecewiseConstantDecay", ([2, 5], [0.1, 0.01, 0.001])),
]  # fmt: skip
CLASS_LOSSES = [
    losses.CategoricalCrossentropy(), losses.CategoricalCrossentropy(label_smoothing=0.1), losses.CategoricalFocalCrossentropy(), losses.BinaryCrossentropy(), losses.BinaryFocalCrossentropy(apply_class_balancing=True),
    losses.KLDivergence(), losses.Poisson(), losses.CategoricalHinge(), losses.Hinge(), losses.SquaredHinge(), losses.MeanSquaredError(), losses.MeanAbsoluteError(reduction="sum"), losses.MeanAbsolutePercentageError(),
    losses.MeanSquaredLogarithmicError(), losses.Huber(delta=0.5), losses.LogCosh(), losses.CosineSimilarity(), losses.Dice(), losses.Tversky(alpha=0.3), losses.CategoricalGeneralizedCrossEntropy(), "mse", "mae", "categorical_crossentropy",
]  # fmt: skip
METRICS = [
    metrics.CategoricalAccuracy(), metrics.TopKCategoricalAccuracy(k=2), metrics.AUC(), metrics.AUC(curve="PR", num_thresholds=50), metrics.Precision(), metrics.Recall(thresholds=[0.3, 0.6]), metrics.F1Score(), metrics.FBetaScore(beta=0.5, average="macro"),
    metrics.MeanSquaredError(), metrics.RootMeanSquaredError(), metrics.MeanAbsoluteError(), metrics.CosineSimilarity(), metrics.KLDivergence(), metrics.R2Score(), metrics.BinaryIoU(), metrics.OneHotMeanIoU(num_classes=3), metrics.Poisson(),
    metrics.TruePositives(), metrics.SensitivityAtSpecificity(0.5), metrics.PrecisionAtRecall(0.5), metrics.LogCoshError(), metrics.Hinge(), metrics.CategoricalCrossentropy(), metrics.PearsonCorrelation(), "accuracy",
]  # fmt: skip
INITIALIZERS = [
    "glorot_normal", I.HeNormal(seed=3), I.LecunUniform(), I.TruncatedNormal(0.1, 0.2), I.RandomUniform(-0.1, 0.1), I.RandomNormal(), I.Orthogonal(gain=0.5), I.Constant(0.1), I.VarianceScaling(2.0, "fan_avg", "uniform"), "ones",
]  # fmt: skip
LIMITS = [
    {"kernel_regularizer": R.L1(0.01)}, {"kernel_regularizer": R.L1L2(0.01, 0.02)}, {"bias_regularizer": "l2"}, {"activity_regularizer": R.L2(0.01)}, {"kernel_regularizer": R.OrthogonalRegularizer(0.1)}, {"kernel_constraint": C.MaxNorm(0.5)},
    {"kernel_constraint": C.MinMaxNorm(0.2, 0.8, rate=0.5)}, {"kernel_constraint": C.UnitNorm()}, {"kernel_constraint": "non_neg"},
]  # fmt: skip
OPERATORS = {
    "add": lambda a, b: a + b, "add_number": lambda a, b: a + 0.5, "subtract": lambda a, b: 1.0 - a, "multiply": lambda a, b: a * b, "divide": lambda a, b: a / (b + 2.0), "negative": lambda a, b: -a, "power": lambda a, b: a**2,
    "index": lambda a, b: a[:, 1:4], "matmul": lambda a, b: ops.matmul(a[:, :, None], b[:, None, :]), "relu": lambda a, b: ops.relu(a), "mean": lambda a, b: ops.mean(a, axis=-1, keepdims=True), "concatenate": lambda a, b: ops.concatenate([a, b], axis=-1),
    "reshape": lambda a, b: ops.reshape(a, (-1, 3, 2)), "maximum": lambda a, b: ops.maximum(a, b), "sqrt": lambda a, b: ops.sqrt(ops.abs(a)), "expand": lambda a, b: ops.expand_dims(a, 1), "where": lambda a, b: ops.where(a > b, a, b),
    "softmax": lambda a, b: ops.softmax(a), "transpose": lambda a, b: ops.transpose(ops.stack([a, b], axis=1), (0, 2, 1)), "sum": lambda a, b: ops.sum(ops.square(a - b), axis=1, keepdims=True), "clip": lambda a, b: ops.clip(a, -0.5, 0.5), "exp": lambda a, b: ops.exp(-a), "sigmoid": lambda a, b: ops.sigmoid(a),
}  # fmt: skip
MERGES = [("Add", {}), ("Subtract", {}), ("Multiply", {}), ("Average", {}), ("Maximum", {}), ("Minimum", {}), ("Concatenate", {}), ("Concatenate", {"axis": 1}), ("Dot", {"axes": 1}), ("Dot", {"axes": -1, "normalize": True})]
ATTENTIONS = [
    ("MultiHeadAttention", {"num_heads": 2, "key_dim": 3}), ("MultiHeadAttention", {"num_heads": 2, "key_dim": 3, "value_dim": 4, "use_bias": False}), ("GroupQueryAttention", {"head_dim": 3, "num_query_heads": 4, "num_key_value_heads": 2}),
    ("MultiHeadAttention", {"num_heads": 2, "key_dim": 2, "use_gate": True, "sliding_window": 2, "kernel_regularizer": "l2", "activity_regularizer": "l1"}),
    ("Attention", {}), ("Attention", {"use_scale": True, "score_mode": "concat"}), ("AdditiveAttention", {}),
]  # fmt: skip


def last(x):
    """The layers after the tested layer."""
    if len(x.shape) > 2:
        x = L.Flatten()(x)
    return L.Dense(3, activation="softmax", name="last")(x)


def of_layer(shape, name, options):
    def make():
        options_ = {k: v.__class__.from_config(v.get_config()) if isinstance(v, L.Layer) else v for k, v in options.items()}
        if name == "ConvLSTM1D":
            x = keras.Input(shape)
        x = keras.Input(shape)
        return keras.Model(x, last(getattr(L, name)(**options_)(x)))

    return make


def dense(**options):
    x = keras.Input(VECTOR)
    return keras.Model(x, last(L.Dense(5, activation="tanh", **options)(x)))


def of_operator(f):
    def make():
        x = keras.Input(VECTOR)
        return keras.Model(x, last(f(L.Dense(6)(x), L.Dense(6)(x))))

    return make


def of_merge(name, options):
    def make():
        x = keras.Input(VECTOR)
        return keras.Model(x, last(getattr(L, name)(**options)([L.Dense(4)(x), L.Dense(4)(x)])))

    return make


def of_attention(name, options):
    def make():
        x = keras.Input(SEQUENCE)
        layer = getattr(L, name)(**options)
        return keras.Model(x, last(layer(x, x) if "Head" in name or "Group" in name else layer([x, x])))

    return make


def shared():
    x, d = keras.Input(VECTOR), L.Dense(6, activation="tanh")
    return keras.Model(x, last(d(d(x))))


def nested():
    x = keras.Input(VECTOR)
    inner = keras.Sequential([keras.Input(VECTOR), L.Dense(5, activation="relu"), L.Dropout(0.0)])
    return keras.Model(x, last(inner(x)))


def twice_nested():
    x = keras.Input(VECTOR)
    y = keras.Input((5,))
    return keras.Model(x, last(keras.Model(y, L.Dense(4)(keras.Sequential([keras.Input((5,)), L.Dense(5)])(y)))(L.Dense(5)(x))))


def inference():
    x, y = keras.Input(VECTOR), keras.Input(VECTOR)
    base = keras.Model(y, L.BatchNormalization()(L.Dense(5)(y)))
    return keras.Model(x, last(base(x, training=False)))


def sequential():
    return keras.Sequential([keras.Input(SEQUENCE), L.Conv1D(3, 3), L.Flatten(), L.Dense(3, activation="softmax")])


def sequential_masked():
    return keras.Sequential([keras.Input(SEQUENCE), L.Masking(0.0), L.LSTM(4), L.Dense(3, activation="softmax")])


def frozen():
    model = dense()
    model.layers[1].trainable = False
    return model


def two_inputs():
    a, b = keras.Input(VECTOR, name="a"), keras.Input(SEQUENCE, name="b")
    return keras.Model([a, b], last(L.Concatenate()([a, L.Flatten()(b)])))


def dict_inputs():
    a, b = keras.Input(VECTOR, name="a"), keras.Input(VECTOR, name="b")
    return keras.Model({"a": a, "b": b}, last(L.Concatenate()([a, b])))


def embedded(mask):
    def make():
        x = keras.Input((5,), dtype="int32")
        return keras.Model(x, last(L.LSTM(4)(L.Embedding(11, 4, mask_zero=mask)(x))))

    return make


def policy(name):
    def make():
        keras.config.set_dtype_policy(name)
        try:
            return dense()
        finally:
            keras.config.set_dtype_policy("float32")

    return make


def tied():
    """An embedding that is called in both directions."""
    x = keras.Input((6,), dtype="int32")
    words = L.ReversibleEmbedding(12, 4)
    y = L.Dense(4, activation="tanh")(words(x))
    return keras.Model(x, L.Dense(3, activation="softmax")(L.GlobalAveragePooling1D()(words(y, reverse=True))))


def cases():
    """All models: name, how it is made, how it is compiled, whether training is random."""
    default = {"optimizer": "adam", "loss": "categorical_crossentropy"}
    for shape, table in LAYERS.items():
        for name, variants in table:
            for i, options in enumerate(variants):
                yield f"layer_{len(shape)}_{name}_{i}", of_layer(shape, name, options), default, name.startswith(RANDOM)
    for i, (name, options) in enumerate(OPTIMIZERS):
        yield f"optimizer_{i}_{name}", dense, lambda name=name, options=options: {**default, "optimizer": getattr(optimizers, name)(**options)}, False
    for name, args in SCHEDULES:
        yield f"schedule_{name}", dense, lambda name=name, args=args: {**default, "optimizer": optimizers.SGD(getattr(optimizers.schedules, name)(*args))}, False
    for i, loss in enumerate(CLASS_LOSSES):
        yield f"loss_{i}_{getattr(loss, 'name', loss)}", dense, {**default, "loss": loss}, False
    for i, metric in enumerate(METRICS):
        yield f"metric_{i}_{getattr(metric, 'name', metric)}", dense, {**default, "metrics": [metric]}, False
    for i, init in enumerate(INITIALIZERS):
        yield f"initializer_{i}", lambda init=init: dense(kernel_initializer=init), default, False
    for i, limits in enumerate(LIMITS):
        yield f"limit_{i}", lambda limits=limits: dense(**limits), default, False
    for name, f in OPERATORS.items():
        yield f"operator_{name}", of_operator(f), default, False
    for i, (name, options) in enumerate(MERGES):
        yield f"merge_{i}_{name}", of_merge(name, options), default, False
    for i, (name, options) in enumerate(ATTENTIONS):
        yield f"attention_{i}_{name}", of_attention(name, options), default, False
    for make in [shared, nested, twice_nested, inference, sequential, sequential_masked, frozen, two_inputs, dict_inputs]:
        yield f"structure_{make.__name__}", make, default, False
    yield "structure_tied", tied, default, False
    yield "structure_embedding", embedded(False), default, False
    yield "structure_mask_zero", embedded(True), default, False
    yield "structure_uncompiled", dense, None, False
    yield "structure_mixed_bfloat16", policy("mixed_bfloat16"), default, False
    yield "compile_weights", dense, {**default, "loss_weights": [0.5], "weighted_metrics": ["accuracy"]}, False
    yield "compile_jit", dense, {**default, "jit_compile": False, "steps_per_execution": 2}, False


def inputs(model):
    """Fixed inputs, in the order of the model."""
    out = []
    for t in model.inputs:
        shape = (8,) + tuple(t.shape[1:])
        n = (np.arange(np.prod(shape)) * 7 % 11).reshape(shape)
        out.append(n.astype("int32") if t.dtype == "int32" else (n / 11).astype("float32"))
    return out


def write(folder, name, make, compiled, random):
    start(len(name))
    model = make()
    x, y = inputs(model), [np.eye(3, dtype="float32")[np.arange(8) % 3]]
    x_, y_ = given(model, x, y)
    half = any("mixed" in l.dtype_policy.name for l in model.layers if isinstance(l, keras.layers.Layer))
    if compiled is not None:
        model.compile(**(compiled() if callable(compiled) else compiled))
        fit(model, x_, y_)
    path = os.path.join(folder, name + ".keras")
    model.save(path)
    answer = {"inputs": [array(v) for v in x], "targets": [array(v) for v in y], "half": half}
    answer |= results(keras.saving.load_model(path), x_, y_, compiled is not None and not random)
    write_json(path, answer)


def main():
    folder, wanted = sys.argv[1], sys.argv[2:]
    os.makedirs(folder, exist_ok=True)
    for name, make, compiled, random in cases():
        if wanted and name not in wanted:
            continue
        try:
            write(folder, name, make, compiled, random)
            print(name, flush=True)
        except Exception as e:  # what Keras itself cannot save or load is no case
            print(f"# {name}: {type(e).__name__}: {str(e).splitlines()[0]}", flush=True)


if __name__ == "__main__":
    main()
