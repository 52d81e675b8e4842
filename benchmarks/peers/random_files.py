"""Writes .keras files of random models over all layers and compile options, and what Keras gives.

Each file N_LAYER.keras is a small model that was trained for one epoch, and beside it stands
N_LAYER.json (keras_answers.py). A model with an object of the user's has the name of the object
instead.

    python random_files.py DIR [FIRST [LAST]]    # files of the seeds FIRST..LAST-1
"""

import glob
import os
import random
import sys

from keras_answers import SAMPLES, array, fit, given, results, start, write_json

import keras
import numpy as np
from keras import constraints as C
from keras import initializers as I
from keras import layers as L
from keras import losses, metrics, optimizers
from keras import regularizers as R

from keras_files import OPERATORS

FILES = 400
INPUTS = {"vector": (6,), "ids": (5,), "sequence": (6, 4), "image": (6, 6, 3), "volume": (4, 4, 4, 2), "film": (2, 3, 3, 3, 2)}


def one(*values):
    """An option that is one of the values; a value that is a function of r makes a new one."""
    return lambda r: made(r, r.choice(values))


def made(r, value):
    return value(r) if callable(value) and getattr(value, "__name__", "") == "<lambda>" else value


number = one(0.1, 0.25, 0.5, 0.9, 1.0)
flag = one(True, False)
activation = one("relu", "tanh", "gelu", "selu", "softplus", "softsign", "silu", "mish", "hard_sigmoid", "leaky_relu", "elu", "exponential", "relu6", "linear", "softmax", "celu", "glu" if False else "sigmoid", "hard_tanh", "log_sigmoid", "soft_shrink", "squareplus", "tanh_shrink")
initializer = one(
    "glorot_normal", "he_uniform", "lecun_normal", lambda r: I.HeNormal(seed=r.randrange(9)), lambda r: I.TruncatedNormal(0.1, 0.2, seed=3), lambda r: I.RandomUniform(-0.3, 0.3), lambda r: I.RandomNormal(0.0, 0.3),
    lambda r: I.Orthogonal(gain=0.5), lambda r: I.Constant(0.1), lambda r: I.VarianceScaling(2.0, "fan_avg", r.choice(["uniform", "normal", "truncated_normal", "untruncated_normal"])), "ones", lambda r: I.GlorotUniform(),
)  # fmt: skip
vectors = one("zeros", "ones", lambda r: I.Constant(0.1), lambda r: I.RandomNormal(0.0, 0.1), lambda r: I.RandomUniform(-0.1, 0.1))
regularizer = one("l1", "l2", "l1_l2", lambda r: R.L1(0.01), lambda r: R.L2(0.02), lambda r: R.L1L2(0.01, 0.02))
of_matrix = one(regularizer, lambda r: R.OrthogonalRegularizer(0.1, r.choice(["rows", "columns"])))
constraint = one("non_neg", "unit_norm", "max_norm", lambda r: C.MaxNorm(0.5), lambda r: C.MinMaxNorm(0.2, 0.8, rate=0.5), lambda r: C.UnitNorm(axis=0), lambda r: C.NonNeg())
rate = one(0.0, 0.0, 0.3)


def weights(*names):
    """The options of weights."""
    out = {}
    for n in names:
        flat = n in ("bias", "beta", "gamma", "alpha")
        out |= {n + "_initializer": vectors if flat else initializer, n + "_regularizer": regularizer, n + "_constraint": one("non_neg", lambda r: C.MaxNorm(0.5)) if flat else constraint}
    return out


DENSE = {"activation": activation, "use_bias": flag, **weights("kernel", "bias")}
CONV = {"strides": one(1, 2), "padding": one("valid", "same"), "dilation_rate": one(1, 2), **DENSE}
GROUPED = {**CONV, "groups": one(1, 1, 2)}
TRANSPOSED = {**CONV, "output_padding": one(None, 1)}
SEPARABLE = {"strides": one(1, 2), "padding": one("valid", "same"), "depth_multiplier": one(1, 2), "activation": activation, "use_bias": flag, **weights("depthwise", "pointwise", "bias")}
DEPTHWISE = {"strides": one(1, 2), "padding": one("valid", "same"), "depth_multiplier": one(1, 2), "activation": activation, "use_bias": flag, **weights("depthwise", "bias")}
POOL = {"strides": one(None, 1, 2), "padding": one("valid", "same")}
RECURRENT = {
    "activation": activation, "use_bias": flag, **weights("kernel", "recurrent", "bias"), "dropout": rate, "recurrent_dropout": rate, "return_sequences": flag, "go_backwards": flag, "unroll": flag, "seed": one(3),
}  # fmt: skip
GATED = {**RECURRENT, "recurrent_activation": one("sigmoid", "hard_sigmoid", "tanh")}
CONV_LSTM = {k: v for k, v in {**GATED, **CONV, "unit_forget_bias": flag}.items() if k not in ("unroll", "dilation_rate")}
BATCH_NORM = {"momentum": number, "epsilon": one(0.001, 0.1), "center": flag, "scale": flag, "moving_mean_initializer": vectors, "moving_variance_initializer": one("ones"), **weights("beta", "gamma")}
LAYER_NORM = {"epsilon": one(0.001, 0.1), "center": flag, "scale": flag, **weights("beta", "gamma")}
IMAGES = {"data_format": one("channels_last"), "seed": one(None, 3)}
FILL = {"fill_mode": one("reflect", "wrap", "constant", "nearest"), "interpolation": one("nearest", "bilinear"), "fill_value": one(0.0, 0.5)}
UNIT = {"value_range": one((0, 1), [0, 1])}
HEADS = {
    "use_bias": flag, "dropout": rate, "value_dim": one(2, 3), "flash_attention": one(None, False), "use_gate": flag, "seed": one(3), **weights("kernel", "bias"), "activity_regularizer": regularizer,
    "output_shape": one(4), "attention_axes": one(1),
}  # fmt: skip
units = one(2, 3, 4)


def inner(*rows):
    """A layer inside another: one of the rows of name, options that must be there, and others."""
    return lambda r: layer(r, *r.choice(rows))


CELLS = (("SimpleRNNCell", {"units": units}, {k: v for k, v in RECURRENT.items() if k not in ("return_sequences", "go_backwards", "unroll")}), ("LSTMCell", {"units": units}, {"unit_forget_bias": flag, **weights("kernel", "bias")}),
         ("GRUCell", {"units": units}, {"reset_after": flag, **weights("kernel", "recurrent")}))  # fmt: skip
LOOPS = (("LSTM", {"units": units}, GATED), ("GRU", {"units": units}, {**GATED, "reset_after": flag}), ("SimpleRNN", {"units": units}, RECURRENT))

# Layers of one input: what they are applied to, the class, the options that it must have, and others.
LAYERS = [
    ("vector", "Dense", {"units": units}, {**DENSE, "kernel_regularizer": of_matrix, "lora_rank": one(None, 2)}),
    ("vector", "Activation", {"activation": activation}, {}), ("vector", "ReLU", {}, {"max_value": number, "negative_slope": number, "threshold": number}), ("vector", "LeakyReLU", {}, {"negative_slope": number}),
    ("sequence", "PReLU", {}, {"shared_axes": one([1]), **weights("alpha")}), ("vector", "ELU", {}, {"alpha": number}), ("sequence", "Softmax", {}, {"axis": one(-1, 1, [1, 2])}),
    ("vector", "Dropout", {"rate": rate}, {"noise_shape": one((None, 1), None), "seed": one(3)}), ("vector", "Identity", {}, {}), ("vector", "GaussianNoise", {"stddev": rate}, {"seed": one(3)}), ("vector", "GaussianDropout", {"rate": rate}, {"seed": one(3)}),
    ("vector", "AlphaDropout", {"rate": rate}, {"noise_shape": one(None), "seed": one(3)}), ("vector", "ActivityRegularization", {}, {"l1": one(0.01), "l2": one(0.02)}), ("vector", "RepeatVector", {"n": one(2, 3)}, {}),
    ("vector", "Reshape", {"target_shape": one((3, 2), (-1, 3), [2, 3], (6, 1))}, {}), ("image", "Flatten", {}, {"data_format": one("channels_last", "channels_first")}), ("vector", "Rescaling", {"scale": number}, {"offset": number}),
    ("sequence", "EinsumDense", {"equation": one("abc,cd->abd"), "output_shape": one((None, 3), (6, 3))}, {"bias_axes": one("d", "bd"), "activation": activation, **weights("kernel", "bias")}),
    ("vector", "Normalization", {}, {"mean": one(0.4, [0.1] * 6), "variance": one(0.2, [0.3] * 6), "invert": flag, "axis": one(-1, None)}),
    ("vector", "Discretization", {}, {"bin_boundaries": one([0.2, 0.5, 0.7]), "output_mode": one("int", "one_hot", "multi_hot", "count")}), ("ids", "CategoryEncoding", {"num_tokens": one(11, 12)}, {"output_mode": one("multi_hot", "one_hot", "count")}),
    ("ids", "Embedding", {"input_dim": one(11, 12), "output_dim": units}, {"mask_zero": flag, **weights("embeddings"), "lora_rank": one(None, 2)}), ("image", "Rescaling", {"scale": one([0.5, 1.0, 2.0])}, {"offset": one([0.1, 0.2, 0.3], 0.5)}),
    ("image", "BatchNormalization", {}, {**BATCH_NORM, "axis": one(-1, 1, 2), "renorm": flag, "renorm_momentum": number}), ("sequence", "BatchNormalization", {}, BATCH_NORM), ("sequence", "LayerNormalization", {}, {"axis": one(-1, 1, [1, 2], (-1,)), **LAYER_NORM}),
    ("sequence", "RMSNormalization", {}, {"axis": one(-1, 1, [1, 2]), "epsilon": one(0.1)}), ("image", "UnitNormalization", {}, {"axis": one(-1, 1, [1, 2])}), ("image", "GroupNormalization", {"groups": one(1, 3, -1)}, {**LAYER_NORM, "axis": one(-1, 1)}),
    ("vector", "SpectralNormalization", {"layer": inner(("Dense", {"units": units}, DENSE))}, {"power_iterations": one(1, 2)}), ("image", "SpectralNormalization", {"layer": inner(("Conv2D", {"filters": units, "kernel_size": one(2)}, CONV))}, {}),
    ("vector", "MelSpectrogram", {"fft_length": one(4), "sequence_stride": one(2), "sampling_rate": one(100), "num_mel_bins": one(2)}, {"window": one("hann", "hamming"), "power_to_db": flag, "mag_exp": one(1.0, 2.0), "min_freq": one(1.0)}),
    ("sequence", "STFTSpectrogram", {"frame_length": one(3, 4)}, {"mode": one("log", "magnitude", "phase", "real", "imag", "psd", "stft"), "window": one("hann", None, "blackman"), "expand_dims": flag, "padding": one("valid", "same"), "scaling": one("density", "spectrum", None), "frame_step": one(1, 2), "periodic": flag}),
    ("sequence", "Conv1D", {"filters": one(2, 4), "kernel_size": one(1, 2, 3)}, {**GROUPED, "padding": one("valid", "same", "causal"), "lora_rank": one(None, None, 2)}), ("sequence", "Conv1DTranspose", {"filters": units, "kernel_size": one(2, 3)}, TRANSPOSED),
    ("sequence", "SeparableConv1D", {"filters": units, "kernel_size": one(2, 3)}, {**SEPARABLE, "padding": one("valid", "same", "causal")}), ("sequence", "DepthwiseConv1D", {"kernel_size": one(2, 3)}, DEPTHWISE),
    ("image", "Conv2D", {"filters": one(2, 3), "kernel_size": one(2, 3, (1, 2), [3, 1])}, {**CONV, "groups": one(1), "strides": one(1, 2, (1, 2))}), ("image", "Conv2DTranspose", {"filters": units, "kernel_size": one(2, (3, 2))}, TRANSPOSED),
    ("image", "SeparableConv2D", {"filters": units, "kernel_size": one(2, 3)}, SEPARABLE), ("image", "DepthwiseConv2D", {"kernel_size": one(2, (3, 2))}, {**DEPTHWISE, "dilation_rate": one(1, 2)}),
    ("volume", "Conv3D", {"filters": one(2, 4), "kernel_size": one(2, (1, 2, 3))}, GROUPED), ("volume", "Conv3DTranspose", {"filters": units, "kernel_size": one(2)}, TRANSPOSED),
    *[(kind, f"{how}Pooling{n}D", {}, {"pool_size": one(1, 2), **POOL}) for n, kind in [(1, "sequence"), (2, "image"), (3, "volume")] for how in ["Max", "Average"]],
    *[(kind, f"Global{how}Pooling{n}D", {}, {"keepdims": flag, "data_format": one("channels_last", "channels_first")}) for n, kind in [(1, "sequence"), (2, "image"), (3, "volume")] for how in ["Max", "Average"]],
    *[(kind, f"Adaptive{how}Pooling{n}D", {"output_size": one(2, 3)}, {}) for n, kind in [(1, "sequence"), (2, "image"), (3, "volume")] for how in ["Max", "Average"]],
    ("sequence", "UpSampling1D", {}, {"size": one(2, 3)}), ("image", "UpSampling2D", {}, {"size": one(2, (1, 2)), "interpolation": one("nearest", "bilinear", "bicubic", "lanczos3")}), ("volume", "UpSampling3D", {}, {"size": one(2, (1, 2, 1))}),
    ("sequence", "ZeroPadding1D", {}, {"padding": one(2, (0, 1))}), ("image", "ZeroPadding2D", {}, {"padding": one(2, (0, 1), ((0, 1), (2, 0)))}), ("volume", "ZeroPadding3D", {}, {"padding": one(1, (0, 1, 2), ((0, 1), (2, 0), (1, 1)))}),
    ("sequence", "Cropping1D", {}, {"cropping": one(2, (0, 1))}), ("image", "Cropping2D", {}, {"cropping": one(1, (0, 1), ((0, 1), (2, 0)))}), ("volume", "Cropping3D", {}, {"cropping": one(1, (0, 1, 1), ((0, 1), (2, 0), (1, 1)))}),
    ("sequence", "Permute", {"dims": one((2, 1), [1, 2])}, {}), ("image", "Permute", {"dims": one((3, 1, 2), [2, 1, 3])}, {}), ("sequence", "SpatialDropout1D", {"rate": rate}, {"seed": one(3)}), ("image", "SpatialDropout2D", {"rate": rate}, {"data_format": one("channels_last")}),
    ("volume", "SpatialDropout3D", {"rate": rate}, {}), ("sequence", "SimpleRNN", {"units": units}, RECURRENT), ("sequence", "LSTM", {"units": units}, {**GATED, "unit_forget_bias": flag}), ("sequence", "GRU", {"units": units}, {**GATED, "reset_after": flag}),
    ("sequence", "RNN", {"cell": one(inner(*CELLS), lambda r: [inner(*CELLS)(r), inner(*CELLS)(r)], lambda r: L.StackedRNNCells([inner(*CELLS)(r), inner(*CELLS)(r)]))}, {"return_sequences": flag, "go_backwards": flag, "unroll": flag}),
    ("sequence", "Bidirectional", {"layer": inner(*LOOPS)}, {"merge_mode": one("sum", "mul", "ave", "concat")}), ("sequence", "TimeDistributed", {"layer": inner(("Dense", {"units": units}, DENSE), ("Dropout", {"rate": rate}, {}))}, {}),
    ("volume", "TimeDistributed", {"layer": inner(("Conv2D", {"filters": units, "kernel_size": one(2)}, CONV), ("Flatten", {}, {}), ("BatchNormalization", {}, BATCH_NORM))}, {}),
    ("image", "ConvLSTM1D", {"filters": units, "kernel_size": one(2, 3)}, CONV_LSTM), ("volume", "ConvLSTM2D", {"filters": units, "kernel_size": one(2, (1, 2))}, CONV_LSTM), ("film", "ConvLSTM3D", {"filters": units, "kernel_size": one(2)}, CONV_LSTM),
    ("sequence", "Masking", {}, {"mask_value": one(0.0, 0.5)}), ("vector", "Pipeline", {"layers": lambda r: [L.Rescaling(number(r)), layer(r, "Dense", {"units": units}, DENSE)]}, {}),
    ("image", "Resizing", {"height": one(4, 7), "width": one(5, 6)}, {"interpolation": one("bilinear", "nearest", "bicubic", "lanczos3", "lanczos5"), "crop_to_aspect_ratio": flag, "antialias": flag}), ("image", "CenterCrop", {"height": one(4, 6), "width": one(5)}, {}),
    ("image", "RandomCrop", {"height": one(4), "width": one(5, 6)}, {"seed": one(3)}), ("image", "RandomFlip", {}, {"mode": one("horizontal", "vertical"), **IMAGES}), ("image", "RandomRotation", {"factor": one(0.1, (-0.2, 0.3))}, {**IMAGES, **FILL}),
    ("image", "RandomZoom", {"height_factor": one(0.2, (-0.2, 0.3))}, {"width_factor": one(0.2), **IMAGES, **FILL}), ("image", "RandomTranslation", {"height_factor": one(0.1, (-0.2, 0.3)), "width_factor": number}, {**IMAGES, **FILL}),
    ("image", "RandomShear", {"x_factor": one((0.1, 0.2), 0.2), "y_factor": one((0.0, 0.1))}, {**IMAGES, **FILL}), ("image", "RandomElasticTransform", {}, {"factor": number, "scale": number, **UNIT, **FILL}), ("image", "RandomPerspective", {}, {"factor": number, "scale": number, **FILL}),
    *[("image", name, {"factor": one(0.1, (0.1, 0.3))}, {"seed": one(None, 3), **{k: v for k, v in extra.items()}}) for name, extra in [("RandomContrast", UNIT), ("RandomBrightness", UNIT), ("RandomHue", UNIT), ("RandomSaturation", UNIT), ("RandomSharpness", UNIT), ("RandomColorDegeneration", UNIT), ("RandomGrayscale", {})]],
    ("image", "RandomInvert", {}, {"factor": number, **UNIT}), ("image", "RandomPosterization", {"factor": one(3, 5)}, UNIT), ("image", "RandomColorJitter", {}, {"brightness_factor": number, "hue_factor": number, "contrast_factor": number, "saturation_factor": number, **UNIT}),
    ("image", "RandomGaussianBlur", {}, {"kernel_size": one(3, (3, 5)), "sigma": one(0.5, 1.0), **UNIT}), ("image", "RandomErasing", {}, {"factor": number, "fill_value": number, "scale": one((0.1, 0.2))}), ("image", "RandAugment", {**UNIT}, {"num_ops": one(1, 2), "factor": number}), ("image", "AugMix", {**UNIT}, {"num_chains": one(2)}),
    ("image", "MixUp", {}, {"alpha": number}), ("image", "CutMix", {}, {"factor": number}), ("image", "AutoContrast", {**UNIT}, {}), ("image", "Equalization", {**UNIT}, {"bins": one(64, 256)}), ("image", "Solarization", {**UNIT}, {"addition_factor": one(0.0), "threshold_factor": one(0.0)}),
    ("image", "ContrastLimitedAdaptiveHistogramEqualization", {**UNIT}, {"tile_grid_size": one((2, 3))}),
]  # fmt: skip

# Layers of several inputs: the class, its options, and how it is applied to x and y of one shape.
PAIR = lambda l, x, y: l([x, y])
QUERY = lambda l, x, y: l(x, y)
JOINTS = [
    *[("vector", name, {}, {}, PAIR) for name in ["Add", "Subtract", "Multiply", "Average", "Maximum", "Minimum"]],
    ("sequence", "Concatenate", {}, {"axis": one(-1, 1, 2)}, PAIR), ("vector", "Dot", {"axes": one(1, -1, (1, 1))}, {"normalize": flag}, PAIR), ("sequence", "Dot", {"axes": one(1, 2, (1, 1))}, {"normalize": flag}, PAIR),
    ("sequence", "Attention", {}, {"use_scale": flag, "score_mode": one("dot", "concat"), "dropout": rate, "seed": one(3)}, one(PAIR, lambda r: lambda l, x, y: l([x, y, y]), lambda r: lambda l, x, y: l([x, y], use_causal_mask=True))),
    ("sequence", "AdditiveAttention", {}, {"use_scale": flag, "dropout": rate}, PAIR),
    ("sequence", "MultiHeadAttention", {"num_heads": one(1, 2), "key_dim": one(2, 3)}, HEADS, one(QUERY, lambda r: lambda l, x, y: l(x, y, y, use_causal_mask=True), lambda r: lambda l, x, y: l(query=x, value=y), lambda r: lambda l, x, y: l(x, x))),
    ("sequence", "GroupQueryAttention", {"head_dim": one(2, 3), "num_query_heads": one(2, 4), "num_key_value_heads": one(1, 2)}, {"use_bias": flag, "dropout": rate, **weights("kernel", "bias")}, QUERY),
    ("sequence", "LSTM", {"units": one(4)}, GATED, lambda l, x, y: l(x, initial_state=[y[:, 0], y[:, 1]])), ("sequence", "GRU", {"units": one(4)}, GATED, lambda l, x, y: l(x, initial_state=y[:, 0])), ("sequence", "SimpleRNN", {"units": one(4)}, RECURRENT, lambda l, x, y: l(x, initial_state=[y[:, 0]])),
    ("vector", "Dense", {"units": one(6)}, DENSE, lambda l, x, y: l(l(x)) + y), ("sequence", "LayerNormalization", {}, LAYER_NORM, lambda l, x, y: l(x) * l(y)),
    *[("vector", name, {}, {}, lambda l, x, y, f=f: f(x, y)) for name, f in OPERATORS.items()],
]  # fmt: skip

RATES = one(
    0.01, 0.05, lambda r: optimizers.schedules.ExponentialDecay(0.05, 3, 0.5, staircase=flag(r)), lambda r: optimizers.schedules.InverseTimeDecay(0.05, 3, 0.5, staircase=flag(r)), lambda r: optimizers.schedules.PolynomialDecay(0.05, 4, end_learning_rate=0.01, power=r.choice([1.0, 2.0]), cycle=flag(r)),
    lambda r: optimizers.schedules.CosineDecay(0.01, 6, alpha=0.1, warmup_target=r.choice([None, 0.05]), warmup_steps=2), lambda r: optimizers.schedules.CosineDecayRestarts(0.05, 2, t_mul=1.5, m_mul=0.9, alpha=0.1), lambda r: optimizers.schedules.PiecewiseConstantDecay([2, 5], [0.05, 0.02, 0.01]),
)  # fmt: skip
MOMENTS = {"beta_1": one(0.8), "beta_2": one(0.99)}
OPTIMIZERS = [
    ("SGD", {"momentum": one(0.0, 0.9), "nesterov": flag}), ("RMSprop", {"centered": flag, "momentum": one(0.0, 0.5), "rho": one(0.8)}), ("Adam", {"amsgrad": flag, **MOMENTS}), ("AdamW", {"amsgrad": flag, **MOMENTS}), ("Adagrad", {"initial_accumulator_value": one(0.2)}), ("Adadelta", {"rho": one(0.8)}),
    ("Adamax", MOMENTS), ("Nadam", MOMENTS), ("Ftrl", {"l1_regularization_strength": one(0.01), "l2_regularization_strength": one(0.01), "l2_shrinkage_regularization_strength": one(0.01), "beta": one(0.1), "learning_rate_power": one(-0.4)}), ("Lion", MOMENTS), ("Lamb", MOMENTS),
    ("Adafactor", {"relative_step": flag, "clip_threshold": number, "beta_2_decay": one(-0.7)}), ("Muon", {"nesterov": flag, "ns_steps": one(4), "exclude_embeddings": flag}), ("ScheduleFreeAdamW", {"warmup_steps": one(0, 2), **MOMENTS}),
]  # fmt: skip
CLIPS = one({}, {}, {"clipnorm": 0.1}, {"clipvalue": 0.01}, {"global_clipnorm": 0.1})
AVERAGES = one({}, {}, {}, {"use_ema": True, "ema_momentum": 0.9}, {"use_ema": True, "ema_overwrite_frequency": 2})
OTHERS = one({}, {}, {}, {"weight_decay": 0.01}, {"gradient_accumulation_steps": 2}, {"loss_scale_factor": 4.0}, {"name": "mine"})

REDUCED = {"reduction": one("sum_over_batch_size", "sum", "mean", "mean_with_sample_weight"), "name": one("own_loss"), "dtype": one("float32")}
CLASSES = {"from_logits": one(False), "label_smoothing": one(0.1), "axis": one(-1)}
ANY_LOSSES = [
    ("MeanSquaredError", {}), ("MeanAbsoluteError", {}), ("MeanAbsolutePercentageError", {}), ("MeanSquaredLogarithmicError", {}), ("Huber", {"delta": number}), ("LogCosh", {}), ("CosineSimilarity", {"axis": one(-1)}), ("Hinge", {}), ("SquaredHinge", {}), ("Poisson", {}), ("KLDivergence", {}),
    ("Dice", {"axis": one(None, (1,))}), ("Tversky", {"alpha": number, "beta": number}), ("Quantile" if hasattr(losses, "Quantile") else "MeanSquaredError", {}),
]  # fmt: skip
ANY_METRICS = [
    ("MeanSquaredError", {}), ("RootMeanSquaredError", {}), ("MeanAbsoluteError", {}), ("MeanAbsolutePercentageError", {}), ("MeanSquaredLogarithmicError", {}), ("CosineSimilarity", {"axis": one(-1)}), ("KLDivergence", {}), ("R2Score", {"class_aggregation": one("uniform_average", "variance_weighted_average")}), ("Poisson", {}), ("LogCoshError", {}), ("Hinge", {}), ("SquaredHinge", {}),
    ("PearsonCorrelation", {}), ("ConcordanceCorrelation", {}), ("Accuracy", {}),
]  # fmt: skip
CUTS = {"thresholds": one(0.3, [0.3, 0.6])}
CONFUSION = [(n, CUTS) for n in ["TruePositives", "TrueNegatives", "FalsePositives", "FalseNegatives"]] + [
    ("Precision", {**CUTS, "class_id": one(0)}), ("Recall", {**CUTS, "top_k": one(1)}), ("AUC", {"curve": one("ROC", "PR"), "num_thresholds": one(20, 50), "summation_method": one("interpolation", "minoring", "majoring")}), ("SensitivityAtSpecificity", {"specificity": one(0.5)}),
    ("SpecificityAtSensitivity", {"sensitivity": one(0.5)}), ("PrecisionAtRecall", {"recall": one(0.5)}), ("RecallAtPrecision", {"precision": one(0.5)}), ("BinaryAccuracy", {"threshold": one(0.4)}), ("BinaryCrossentropy", {"label_smoothing": one(0.1)}), ("BinaryIoU", {"target_class_ids": one([0], [0, 1]), "threshold": one(0.4)}),
]  # fmt: skip
REQUIRED = {"SensitivityAtSpecificity": ["specificity"], "SpecificityAtSensitivity": ["sensitivity"], "PrecisionAtRecall": ["recall"], "RecallAtPrecision": ["precision"], "IoU": ["num_classes", "target_class_ids"], "MeanIoU": ["num_classes"], "OneHotIoU": ["num_classes", "target_class_ids"], "OneHotMeanIoU": ["num_classes"]}

# Ends of a model: the units and the activation, the targets, losses, metrics and their texts.
ENDS = {
    "one_hot": (3, "softmax", [("CategoricalCrossentropy", CLASSES), ("CategoricalFocalCrossentropy", {**CLASSES, "alpha": number, "gamma": number}), ("BinaryCrossentropy", CLASSES), ("BinaryFocalCrossentropy", {"apply_class_balancing": flag, "alpha": number, "gamma": number, **CLASSES}), ("CategoricalHinge", {}), ("CategoricalGeneralizedCrossEntropy", {"q": number}), *ANY_LOSSES],
                [("CategoricalAccuracy", {}), ("TopKCategoricalAccuracy", {"k": one(2)}), ("CategoricalCrossentropy", CLASSES), ("CategoricalHinge", {}), ("F1Score", {"average": one("macro", "micro", "weighted", None), "threshold": one(0.4)}), ("FBetaScore", {"beta": one(0.5), "average": one("macro", "micro")}), ("OneHotMeanIoU", {"num_classes": one(3)}), ("OneHotIoU", {"num_classes": one(3), "target_class_ids": one([0, 2])}), *CONFUSION, *ANY_METRICS],
                ["categorical_crossentropy", "mse", "kl_divergence", "categorical_hinge"], ["accuracy", "acc", "mae", "categorical_accuracy", "auc" if False else "mse"]),
    "logits": (3, None, [("CategoricalCrossentropy", {"label_smoothing": one(0.1), "axis": one(-1)}), ("BinaryCrossentropy", {}), ("CategoricalFocalCrossentropy", {}), ("BinaryFocalCrossentropy", {})], [("CategoricalAccuracy", {}), ("CategoricalCrossentropy", {}), ("BinaryCrossentropy", {})], [], ["accuracy"]),
    "sparse": (3, "softmax", [("SparseCategoricalCrossentropy", {"ignore_class": one(None, 0), "axis": one(-1)})], [("SparseCategoricalAccuracy", {}), ("SparseTopKCategoricalAccuracy", {"k": one(2)}), ("SparseCategoricalCrossentropy", {}), ("MeanIoU", {"num_classes": one(3), "sparse_y_pred": one(False)}), ("IoU", {"num_classes": one(3), "target_class_ids": one([0]), "sparse_y_pred": one(False)})], ["sparse_categorical_crossentropy"], ["accuracy", "sparse_categorical_accuracy"]),
    "binary": (1, "sigmoid", [("BinaryCrossentropy", {"label_smoothing": one(0.1)}), ("BinaryFocalCrossentropy", {"gamma": number, "apply_class_balancing": flag}), *ANY_LOSSES], [*CONFUSION, *ANY_METRICS], ["binary_crossentropy", "mse", "hinge"], ["accuracy", "mae", "binary_accuracy", "bce"]),
    "numbers": (2, "softplus", ANY_LOSSES, ANY_METRICS, ["mse", "mae", "huber", "log_cosh", "mean_squared_error", "msle", "mape", "poisson", "cosine_similarity"], ["mse", "mae", "mape", "mean_absolute_error", "cosine_similarity"]),
}  # fmt: skip
RANDOM = ("Random", "RandAugment", "AugMix", "MixUp", "CutMix")


def options(r, required, others, share=0.35):
    out = {k: v(r) for k, v in required.items()}
    return out | {k: v(r) for k, v in sorted(others.items()) if r.random() < share}


def layer(r, name, required, others):
    """A layer with random options."""
    given = options(r, required, others)
    if not name.startswith(RANDOM) and name not in ("Pipeline", "Discretization", "Masking", "Hashing") and r.random() < 0.1:
        given |= r.choice([{"trainable": False}, {"activity_regularizer": "l2"}, {"dtype": "bfloat16"}, {"dtype": "mixed_bfloat16"}, {"dtype": "float32"}])
    return getattr(L, name)(**given)


def kind_of(x):
    """The kind of inputs that a tensor may be for other layers."""
    if "int" in keras.backend.standardize_dtype(x.dtype):
        return None
    return {2: "vector", 3: "sequence", 4: "image", 5: "volume", 6: "film"}.get(len(x.shape))


def more(r, x):
    """A few more layers that fit x."""
    out = []
    for _ in range(r.randrange(3)):
        rows = [row for row in LAYERS if row[0] == kind_of(x) and not row[1].startswith(RANDOM)]
        if not rows or any(d is None for d in x.shape[1:]):
            break
        new = layer(r, *r.choice(rows)[1:])
        x = new(x)
        out.append(new)
    return out, x


def input_of(kind, **given):
    return keras.Input(INPUTS[kind], dtype="int32" if kind == "ids" else "float32", **given)


def flat(r, x):
    """x as a matrix of floats."""
    if "float" not in keras.backend.standardize_dtype(x.dtype):
        x = keras.ops.cast(x, "float32")
    if len(x.shape) == 2:
        return x
    return L.Flatten()(x) if len(x.shape) != 3 or r.random() < 0.7 else L.GlobalAveragePooling1D()(x)


def end(r, x, i=0):
    """A random output of the model: its tensor, and what it is."""
    what = r.choice(sorted(ENDS))
    out = L.Dense(ENDS[what][0], ENDS[what][1], name=f"end_{i}", dtype=r.choice([None, None, None, "float32"]))
    return out(flat(r, x)), what


def model_of(r, seed):
    """A random model around the layer of the seed: the model, what its outputs are, the layer's name."""
    rows = LAYERS + JOINTS
    kind, name, required, others, *apply = rows[seed % len(rows)]
    masked = kind == "sequence" and r.random() < 0.25
    tag = r.choice([None, None, "first", "main"])
    a = input_of("ids" if masked and not apply else kind, name=tag)
    x = a
    if masked:
        x = L.Embedding(12, 4, mask_zero=True)(x) if not apply else L.Masking(0.0)(x)
    if apply:
        y = {"vector": L.Dense(6, "tanh"), "sequence": L.Dense(4, "tanh")}[kind](x)
        how = apply[0]
        if how not in (PAIR, QUERY) and how.__code__.co_varnames[:1] == ("r",):
            how = how(r)
        try:
            x = how(None if name in OPERATORS else layer(r, name, required, others), x, y)
        except AttributeError:
            raise ValueError("cannot be applied")
        inputs = [a]
        if r.random() < 0.4:
            b = input_of("vector", name="beside")
            x, inputs = L.Concatenate()([flat(r, x), L.Dense(3)(b)]), [a, b]
        out, what = end(r, x)
        return keras.Model(inputs[0] if len(inputs) == 1 else inputs, out), [what], name
    first = layer(r, name, required, others)
    form = r.choice(["sequential", "functional", "functional", "nested", "twice", "inputs", "named", "outputs", "named_outputs", "residual", "inference"])
    if form == "sequential" and not masked:
        probe = keras.Input(INPUTS[kind], dtype=a.dtype)
        chain = [first, *more(r, first(probe))[0]]
        what = r.choice(sorted(ENDS))
        return keras.Sequential([input_of(kind), *chain, L.Flatten(), L.Dense(ENDS[what][0], ENDS[what][1])], name=tag), [what], name
    if form == "residual":
        y = first(x)
        x = L.Add()([x, y]) if x.shape == y.shape and x.dtype == y.dtype else y
    elif form in ("nested", "twice", "inference") and not masked:
        p = keras.Input(INPUTS[kind], dtype=a.dtype)
        part = keras.Model(p, first(p), name="part")
        if form == "twice":
            q = keras.Input(INPUTS[kind], dtype=a.dtype)
            part = keras.Sequential([keras.Input(INPUTS[kind], dtype=a.dtype), part]) if r.random() < 0.5 else keras.Model(q, part(q))
        x = part(x, training=False) if form == "inference" else part(x)
    else:
        x = first(x)
    x = more(r, x)[1]
    inputs = a
    if form in ("inputs", "named"):  # Keras takes a dict by the names of its inputs
        b = input_of("vector", name="beside")
        x = L.Concatenate()([flat(r, x), L.Dense(3)(b)])
        inputs = [a, b] if form == "inputs" else {a.name: a, "beside": b}
    if form in ("outputs", "named_outputs"):
        x = flat(r, x)
        pairs = [end(r, x, 0), end(r, L.Dense(4, "relu")(x), 1)]
        outs, kinds = [p[0] for p in pairs], [p[1] for p in pairs]
        return keras.Model(inputs, outs if form == "outputs" else {"p": outs[0], "q": outs[1]}), kinds, name
    out, what = end(r, x)
    return keras.Model(inputs, out), [what], name


def of_class(r, module, row, what, common):
    """A loss or a metric with random options."""
    name, others = row
    given = options(r, {k: others[k] for k in REQUIRED.get(name, [])}, {**others, **common})
    if what == "logits" and "Crossentropy" in name:
        given["from_logits"] = True
    return getattr(module, name)(**given)


def a_loss(r, what):
    _, _, classes, _, texts, _ = ENDS[what]
    return r.choice(texts) if texts and r.random() < 0.25 else of_class(r, losses, r.choice(classes), what, REDUCED)


def some_metrics(r, what, prefix=""):
    _, _, _, classes, _, texts = ENDS[what]
    rows = r.sample(classes, min(len(classes), r.randrange(3)))
    out = [of_class(r, metrics, row, what, {"name": lambda _, i=i: f"{prefix}metric_{i}"}) for i, row in enumerate(rows)]
    return out + ([r.choice(texts)] if r.random() < 0.4 else [])


def an_optimizer(r, seed):
    name, others = OPTIMIZERS[seed % len(OPTIMIZERS)]
    given = options(r, {}, others) | CLIPS(r) | AVERAGES(r) | OTHERS(r)
    if r.random() < 0.8:
        given["learning_rate"] = 0.01 if name == "ScheduleFreeAdamW" else RATES(r)
    out = getattr(optimizers, name)(**given)
    if r.random() < 0.1:
        rules = optimizers.OptimizerMap(out)
        rules[".*/bias"] = optimizers.Adam(RATES(r))
        rules[".*/kernel"] = optimizers.SGD(0.05, momentum=0.5)
        out = optimizers.MultiOptimizer(rules)
    if r.random() < 0.1:
        out = optimizers.LossScaleOptimizer(out, initial_scale=r.choice([2.0**15, 64.0]), dynamic_growth_steps=r.choice([2000, 2]))
    return r.choice(["adam", "sgd", "rmsprop"]) if r.random() < 0.05 else out


def compile_of(r, seed, model, kinds):
    """Random arguments of compile."""
    out = {"optimizer": an_optimizer(r, seed)}
    one_loss = [a_loss(r, k) for k in kinds]
    names = sorted(model.output) if isinstance(model.output, dict) else [t for t in model.output_names]
    form = r.choice(["list", "dict"]) if len(kinds) > 1 and not isinstance(model.output, dict) else "dict" if len(kinds) > 1 else "one"
    shaped = {"one": lambda v: v[0], "list": lambda v: v, "dict": lambda v: dict(zip(names, v))}[form]
    out["loss"] = shaped(one_loss)
    if r.random() < 0.4:
        weights = [r.choice([0.5, 2.0, 1.0]) for _ in kinds]
        out["loss_weights"] = weights if form == "one" else shaped(weights)
    if r.random() < 0.6:
        out["metrics"] = shaped([some_metrics(r, k) for k in kinds])
    if r.random() < 0.2:
        out["weighted_metrics"] = shaped([some_metrics(r, k, "w_") for k in kinds])
    scaled = {} if model.dtype_policy.name == "mixed_float16" else {"auto_scale_loss": flag}  # else Keras does not load the optimizer's variables
    return out | options(r, {}, {"jit_compile": one(True, False, "auto"), "steps_per_execution": one(1, 2), "run_eagerly": one(False, False, True), **scaled}, 0.2)


@keras.saving.register_keras_serializable(package="mine")
class Scale(L.Layer):
    def call(self, x):
        return 2.0 * x


@keras.saving.register_keras_serializable(package="mine")
def own_loss(y, p):
    return keras.ops.mean((y - p) ** 2, axis=-1)


@keras.saving.register_keras_serializable(package="mine")
class OwnMetric(metrics.Mean):
    def update_state(self, y, p, sample_weight=None):
        super().update_state(y - p)


@keras.saving.register_keras_serializable(package="mine")
class OwnRegularizer(R.Regularizer):
    def __call__(self, x):
        return keras.ops.sum(x)

    def get_config(self):
        return {}


@keras.saving.register_keras_serializable(package="mine")
class OwnConstraint(C.Constraint):
    def __call__(self, x):
        return x


@keras.saving.register_keras_serializable(package="mine")
class OwnInitializer(I.Initializer):
    def __call__(self, shape, dtype=None):
        return keras.ops.ones(shape, dtype)


@keras.saving.register_keras_serializable(package="mine")
class OwnRate(optimizers.schedules.LearningRateSchedule):
    def __call__(self, step):
        return 0.1

    def get_config(self):
        return {}


@keras.saving.register_keras_serializable(package="mine")
class OwnOptimizer(optimizers.SGD):
    pass


@keras.saving.register_keras_serializable(package="mine")
def own_activation(x):
    return x


@keras.saving.register_keras_serializable(package="mine")
class OwnModel(keras.Model):
    def __init__(self, **given):
        super().__init__(**given)
        self.part = L.Dense(3)

    def call(self, x):
        return self.part(x)


# Objects of the user's: how a model has one, and how it is compiled.
OWN = {
    "Scale": lambda: (L.Dense(3), Scale()), "own_activation": lambda: (L.Dense(3, activation=own_activation),), "OwnRegularizer": lambda: (L.Dense(3, kernel_regularizer=OwnRegularizer()),),
    "OwnConstraint": lambda: (L.Dense(3, kernel_constraint=OwnConstraint()),), "OwnInitializer": lambda: (L.Dense(3, kernel_initializer=OwnInitializer()),), "OwnModel": lambda: (OwnModel(),),
}  # fmt: skip
OWN_COMPILED = {"own_loss": lambda: {"loss": own_loss}, "OwnMetric": lambda: {"loss": "mse", "metrics": [OwnMetric()]}, "OwnRate": lambda: {"loss": "mse", "optimizer": optimizers.SGD(OwnRate())}, "OwnOptimizer": lambda: {"loss": "mse", "optimizer": OwnOptimizer()}}
OWN_EVERY = 40  # seeds between two of them


def with_own(seed, path):
    """Writes a model with an object of the user's."""
    name = sorted(OWN | OWN_COMPILED)[seed // OWN_EVERY % len(OWN | OWN_COMPILED)]
    model = keras.Sequential([keras.Input((6,)), *(OWN[name]() if name in OWN else (L.Dense(3),))])
    model.compile(**OWN_COMPILED[name]() if name in OWN_COMPILED else {"loss": "mse"})
    model.fit(np.ones((8, 6)), np.ones((8, 3)), verbose=0)
    model.save(path(name))
    write_json(path(name), {"refused": "mine>" + name})


def data_of(seed, model, kinds):
    """Inputs, in the order of the model, targets and weights of samples."""
    g = np.random.default_rng(seed)
    x = [g.integers(0, 11, (SAMPLES, *t.shape[1:])).astype("int32") if t.dtype == "int32" else g.random((SAMPLES, *t.shape[1:]), "float32") for t in model.inputs]
    classes = g.integers(0, 3, SAMPLES)
    y = [{"one_hot": np.eye(3, dtype="float32")[classes], "logits": np.eye(3, dtype="float32")[classes], "sparse": classes.astype("int32"), "binary": (classes[:, None] > 0).astype("float32"), "numbers": g.random((SAMPLES, 2), "float32")}[k] for k in kinds]
    return x, y


def is_random(model):
    """Whether a model is random in training."""
    for l in model._flatten_layers():
        c = l.get_config() if not isinstance(l, keras.Model) else {}
        if l.__class__.__name__.startswith(RANDOM) or any(c.get(k) for k in ("dropout", "recurrent_dropout")) or ("Drop" in l.__class__.__name__ and c["rate"]) or (l.__class__.__name__ == "GaussianNoise" and c["stddev"]):
            return True
    return False


def finite(v):
    return all(finite(x) for x in (v.values() if isinstance(v, dict) else v)) if isinstance(v, (dict, list)) else bool(np.isfinite(v))


def write(folder, seed):
    """Writes the model of a seed. What Keras itself does not take is drawn again."""
    path = lambda name: os.path.join(folder, f"{seed:03d}_{name}.keras")
    start(seed)
    r = random.Random(seed)
    if seed % OWN_EVERY == OWN_EVERY - 1:
        return with_own(seed, path)
    why = ""
    for _ in range(40):
        policy = r.choice(["float32"] * 8 + ["mixed_bfloat16", "mixed_float16", "bfloat16"])
        keras.config.set_dtype_policy(policy)
        try:
            model, kinds, name = model_of(r, seed)
            half = any("16" in l.dtype_policy.name for l in model._flatten_layers() if hasattr(l, "dtype_policy"))
            x, y = data_of(seed, model, kinds)
            x_, y_ = given(model, x, y)
            training, random_ = r.random() < 0.97, is_random(model)
            if training:
                model.compile(**compile_of(r, seed, model, kinds))
                fit(model, x_, y_)
            model.save(path(name))
            model = keras.saving.load_model(path(name))
            answer = {"inputs": [array(v) for v in x], "targets": [array(v) for v in y], "half": half, "description": sorted({type(l).__name__ for l in model._flatten_layers()})}
            answer |= results(model, x_, y_, training and not random_)
            if not all(finite(answer.get(k, {})) for k in ("predictions", "evaluate", "logs", "after")):
                raise ValueError("numbers that are not finite")
            write_json(path(name), answer)
            return
        except Exception as e:  # what Keras does not take is no case
            why = f"{type(e).__name__}: {str(e).splitlines()[0] if str(e) else ''}"
        finally:
            keras.config.set_dtype_policy("float32")
    for left in glob.glob(path("*")):
        os.remove(left)
    print(f"# {seed}: Keras takes no model: {why}", flush=True)


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    first, last = (int(v) for v in sys.argv[2:] + ["0", str(FILES)][len(sys.argv) - 2 :])
    for seed in range(first, last):
        write(folder, seed)


if __name__ == "__main__":
    main()
