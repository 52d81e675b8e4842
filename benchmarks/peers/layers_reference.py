"""Writes what Keras on JAX computes for each layer: forward, gradients, and
one training step.

The file also holds the inputs and the initial weights, so that a test needs
only the file. The loss is sum(output * cotangent) / batch, so that the
gradient at the layer's output is known. The step is SGD's, with a learning
rate of 0.1.

    KERAS_BACKEND=jax python layers_reference.py [-o FOLDER] [FILE…]

writes layers.json and the others of FILES.
"""

import argparse
import json
import os

os.environ["KERAS_BACKEND"] = "jax"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import keras
import numpy as np
from keras import layers
from keras.src.layers.preprocessing.image_preprocessing import aug_mix

from reference import ROOT, floats, versions, write_json

# As Keras 3.15 has it, the result is the input itself, which no model can have as its output.
layers.Equalization.compute_output_spec = lambda self, x, **_: keras.KerasTensor(x.shape, x.dtype)

OUTPUT = os.path.join(ROOT, "keras/testdata/reference")
BATCH = 2
RATE = 0.1


def numbers(seed, *shape):
    """Returns normal numbers with few digits, so that the file stays small."""
    return np.round(np.random.default_rng(seed).standard_normal(shape), 2).astype(np.float32)


def make(kind, config):
    """Returns a layer. A layer among its arguments has the form {"layer": kind, "config": {...}}."""

    def argument(v):
        if isinstance(v, dict) and "layer" in v:
            return make(v["layer"], v["config"])
        return [argument(x) for x in v] if isinstance(v, list) else v

    return getattr(layers, kind)(**{name: argument(v) for name, v in config.items()})


def serialized(layer):
    """Returns what stands of a layer in config.json, names of inner layers as they are."""
    return json.loads(json.dumps(keras.layers.serialize(layer)))


def pixels(seed, *shape):
    """Returns numbers between 0 and 1 with few digits."""
    return np.round(np.random.default_rng(seed).random(shape), 2).astype(np.float32)


def inner(kind, **config):
    return {"layer": kind, "config": config}


class Choices:
    """Chooses the augmentations of AugMix by its seed, in place of Python's module random: those
    of each call are the same ones."""

    def __init__(self, layer):
        self.n, self.at = layer.num_chains * layer.chain_depth, 0
        key = jax.random.fold_in(jnp.array([0, layer.seed], "uint32")[::-1], 1)
        self.chosen = np.asarray(jax.random.randint(key, (self.n,), 0, len(layer._augment_layers) + 1))

    def choice(self, options):
        self.at += 1
        return options[self.chosen[(self.at - 1) % self.n]]


def case(kind, shapes, call=None, integers=0, mask=False, colors=False, **config):
    """Runs a layer on inputs of the given shapes, batch left out. With a mask,
    each query may look at the first value and at some others; the mask is a shape of
    (queries, values), with heads or with 1 for all queries, or True for one of the
    inputs'. Colors are between 0 and 1."""
    keras.backend.clear_session()
    layer = make(kind, {"name": "layer", **config})
    if kind == "AugMix":
        aug_mix.py_random = Choices(layer)
    if integers:
        xs = [np.random.default_rng(7).integers(0, integers, (BATCH, *s)).astype(np.int32) for s in shapes]
    else:
        xs = [(pixels if colors else numbers)(i + 1, BATCH, *s) for i, s in enumerate(shapes)]
    ins = [keras.Input(s, batch_size=BATCH, dtype="int32" if integers else "float32") for s in shapes]
    several = kind in MERGES
    args = (ins,) if several else tuple(ins)
    seen = None
    arguments = dict(call or {})
    if mask:
        shape = (shapes[0][0], shapes[1][0]) if mask is True else mask
        seen = np.random.default_rng(8).integers(0, 2, (BATCH, *shape)).astype(bool)
        seen[..., 0] = True
        arguments["attention_mask"] = jnp.asarray(seen)
    if kind in RECURRENT and len(shapes) > 1:
        args, arguments["initial_state"] = (ins[0],), ins[1:]
    out = layer(*args, **arguments)
    if isinstance(out, (list, tuple)):
        out = layers.Concatenate()(keras.tree.flatten(out))
    model = keras.Model(ins, out)
    initial = [floats(v.value) for v in layer.weights] if kind == "STFTSpectrogram" else None  # which are not random
    for i, v in enumerate(layer.weights):
        if v.name in POSITIVE:
            v.assign(np.round(np.abs(numbers(20 + i, *v.shape)) + 0.5, 2))
        else:
            v.assign(0.5 * numbers(20 + i, *v.shape))
    start = [np.array(v.value) for v in layer.weights]
    seeds = [(v, np.array(v.value)) for v in layer.variables if v.path.endswith("seed_generator_state")]
    result = {
        "layer": kind, "serialized": serialized(layer), "call": call or {}, "integers": bool(integers),
        "inputs": [floats(x) for x in xs], "mask": floats(seen.astype(np.int32)) if mask else None,
        "weights": [{"path": v.path, "trainable": v.trainable, "value": floats(w)} for v, w in zip(layer.weights, start)],
        "output": floats((described(layer) if kind == "RandomCrop" else model)(xs, training=False)),
    }  # fmt: skip
    if initial:
        result["initial"] = initial
    for v, state in seeds:  # recurrent layers draw masks in inference too
        v.assign(state)
    cotangent = numbers(50, *np.shape(result["output"]))
    result["cotangent"] = floats(cotangent)

    trainable = [v.value for v in model.trainable_variables]
    fixed = [v.value for v in model.non_trainable_variables]

    def loss(xs):
        y, _, losses = model.stateless_call(trainable, fixed, xs, training=True, return_losses=True)
        return jnp.sum(y * cotangent) / BATCH + sum(losses)

    if not integers:
        gradients = jax.grad(loss)([jnp.asarray(x) for x in xs])
        result["input_gradients"] = [floats(g) for g in gradients]

    def per_sample(y_true, y_pred):
        return jnp.sum(y_true * y_pred, axis=tuple(range(1, y_pred.ndim)))

    if kind == "RandomCrop":  # whose output fit gives the shape of the input; it has no weights
        return {**result, "loss": floats(np.float32(loss([jnp.asarray(x) for x in xs]))), "trained": []}
    # RandomElasticTransform cannot be traced.
    model.compile(optimizer=keras.optimizers.SGD(RATE), loss=per_sample, jit_compile=kind != "RandomElasticTransform" and "auto")
    result["loss"] = floats(np.float32(model.train_on_batch(xs if len(xs) > 1 else xs[0], cotangent)))
    result["trained"] = [floats(v.value) for v in layer.weights]
    if kind in IMAGES:  # how often a step has drawn
        result["drawn"] = [floats(v.value)[1] for v, _ in seeds]
    return result


def described(crop):
    """What the documentation of RandomCrop says that it does when it is not training; its code
    returns the input, which has another shape."""
    resizing = layers.Resizing(crop.height, crop.width, crop_to_aspect_ratio=True)
    return lambda xs, training: resizing(xs[0])


POSITIVE = ("moving_variance", "moving_stddev", "renorm_stddev", "gamma", "scale")
IMAGE = (5, 6, 4)
STEPS = (7, 4)
VOLUME = (4, 5, 3, 2)
MERGES = ("Add", "Multiply", "Concatenate", "Subtract", "Average", "Minimum", "Maximum", "Dot", "Attention", "AdditiveAttention")
IMAGES = ("RandomFlip", "RandomRotation", "RandomTranslation", "RandomZoom", "RandomShear", "RandomContrast", "RandomBrightness", "RandomHue",
          "RandomSaturation", "RandomGrayscale", "RandomInvert", "RandomPosterization", "RandomColorDegeneration", "Solarization", "RandomSharpness",
          "RandomGaussianBlur", "RandomErasing", "RandomPerspective", "RandomElasticTransform")  # fmt: skip
RECURRENT = ("RNN", "SimpleRNN", "LSTM", "GRU", "Bidirectional", "ConvLSTM1D", "ConvLSTM2D", "ConvLSTM3D")


def cases():
    return [
        case("Conv2D", [IMAGE], filters=4, kernel_size=3, activation="tanh"),
        case("Conv2D", [IMAGE], filters=4, kernel_size=[2, 3], strides=2, padding="same"),
        case("Conv2D", [IMAGE], filters=4, kernel_size=2, dilation_rate=[2, 3], padding="same", use_bias=False),
        case("Conv2D", [IMAGE], filters=8, kernel_size=[3, 2], strides=[2, 1], groups=2),
        case("DepthwiseConv2D", [IMAGE], kernel_size=3, strides=2, padding="same"),
        case("DepthwiseConv2D", [IMAGE], kernel_size=2, depth_multiplier=2, activation="relu"),
        case("MaxPooling2D", [IMAGE]),
        case("MaxPooling2D", [IMAGE], pool_size=3, strides=2, padding="same"),
        case("AveragePooling2D", [IMAGE], pool_size=2),
        case("AveragePooling2D", [IMAGE], pool_size=[2, 3], strides=1, padding="same"),
        case("GlobalAveragePooling2D", [IMAGE]),
        case("GlobalMaxPooling2D", [IMAGE], keepdims=True),
        case("BatchNormalization", [IMAGE]),
        case("BatchNormalization", [(8,)], momentum=0.9, epsilon=1e-4, scale=False),
        case("BatchNormalization", [(3, 5)], axis=1, center=False),
        case("LayerNormalization", [(3, 8)]),
        case("LayerNormalization", [(3, 8)], axis=[1, 2], epsilon=1e-5),
        case("RMSNormalization", [(3, 8)]),
        case("Embedding", [(5,)], integers=12, input_dim=12, output_dim=4),
        case("MultiHeadAttention", [(5, 6), (7, 4)], num_heads=4, key_dim=3),
        case("MultiHeadAttention", [(5, 6), (5, 6), (5, 4)], num_heads=4, key_dim=3, use_bias=False),
        case("MultiHeadAttention", [(5, 6), (5, 6)], num_heads=4, key_dim=3, call={"use_causal_mask": True}),
        case("MultiHeadAttention", [(5, 6), (3, 6), (3, 6)], num_heads=4, key_dim=3, mask=True),
        case("MultiHeadAttention", [(5, 6), (3, 6), (3, 6)], num_heads=4, key_dim=3, mask=(1, 3)),
        case("MultiHeadAttention", [(5, 6), (3, 6), (3, 6)], num_heads=4, key_dim=3, mask=(4, 5, 3)),
        case("GroupQueryAttention", [(5, 6), (5, 6), (5, 6)], head_dim=3, num_query_heads=4, num_key_value_heads=2, mask=(4, 5, 5)),
        case("MultiHeadAttention", [(5, 6), (5, 6)], num_heads=2, key_dim=3, value_dim=2, dropout=0.4, seed=7),
        case("GroupQueryAttention", [(5, 6), (5, 6)], head_dim=3, num_query_heads=8, num_key_value_heads=4,
             call={"use_causal_mask": True}),
        case("Add", [(3, 4), (3, 4), (1, 4)]),
        case("Add", [(3, 4), (4,)]),
        case("Multiply", [(3, 4), (3, 1)]),
        case("Concatenate", [(3, 4), (3, 2)]),
        case("Concatenate", [(3, 4), (1, 4)], axis=1),
        case("Reshape", [(3, 4)], target_shape=[2, -1]),
        case("Permute", [(3, 4, 2)], dims=[3, 1, 2]),
        case("ZeroPadding2D", [(3, 4, 2)], padding=[[1, 2], [0, 3]]),
        case("Rescaling", [(3, 4)], scale=0.5, offset=-2.0),
    ] + recurrent()  # fmt: skip


def spatial():
    """Layers over one, two and three spatial dimensions."""
    return [
        case("Conv1D", [STEPS], filters=4, kernel_size=3, activation="relu"),
        case("Conv1D", [STEPS], filters=8, kernel_size=2, padding="causal", dilation_rate=2, groups=2, use_bias=False),
        case("Conv1D", [STEPS], filters=3, kernel_size=3, strides=2, padding="same"),
        case("Conv3D", [VOLUME], filters=4, kernel_size=[2, 3, 2], strides=[1, 2, 1]),
        case("Conv3D", [VOLUME], filters=4, kernel_size=2, dilation_rate=2, padding="same", groups=2),
        case("Conv1DTranspose", [STEPS], filters=3, kernel_size=3, strides=2, padding="same"),
        case("Conv1DTranspose", [STEPS], filters=4, kernel_size=2, strides=3, output_padding=1),
        case("Conv2DTranspose", [IMAGE], filters=4, kernel_size=3, strides=2, padding="same", activation="tanh"),
        case("Conv2DTranspose", [IMAGE], filters=3, kernel_size=[3, 2], strides=[2, 1], use_bias=False),
        case("Conv2DTranspose", [IMAGE], filters=4, kernel_size=2, dilation_rate=2),
        case("Conv2DTranspose", [IMAGE], filters=4, kernel_size=4, strides=2, padding="same", output_padding=1),
        case("Conv3DTranspose", [VOLUME], filters=4, kernel_size=2, strides=2),
        case("SeparableConv1D", [STEPS], filters=4, kernel_size=3, depth_multiplier=2, padding="same"),
        case("SeparableConv2D", [IMAGE], filters=4, kernel_size=3, strides=2, activation="relu"),
        case("SeparableConv2D", [IMAGE], filters=3, kernel_size=2, dilation_rate=2, use_bias=False),
        case("DepthwiseConv1D", [STEPS], kernel_size=3, depth_multiplier=2, strides=2),
        case("MaxPooling1D", [STEPS], pool_size=2),
        case("MaxPooling3D", [VOLUME], pool_size=2, strides=[1, 2, 2], padding="same"),
        case("AveragePooling1D", [STEPS], pool_size=3, strides=2, padding="same"),
        case("AveragePooling3D", [VOLUME], pool_size=[2, 3, 1]),
        case("GlobalMaxPooling1D", [STEPS]),
        case("GlobalMaxPooling3D", [VOLUME]),
        case("GlobalAveragePooling1D", [STEPS], keepdims=True),
        case("GlobalAveragePooling3D", [VOLUME]),
        case("UpSampling1D", [STEPS], size=3),
        case("UpSampling2D", [IMAGE], size=[2, 3]),
        case("UpSampling2D", [IMAGE], size=2, interpolation="bilinear"),
        case("UpSampling2D", [IMAGE], size=[3, 2], interpolation="bicubic"),
        case("UpSampling2D", [IMAGE], size=2, interpolation="lanczos3"),
        case("UpSampling3D", [VOLUME], size=[1, 2, 3]),
        case("ZeroPadding1D", [STEPS], padding=[1, 2]),
        case("ZeroPadding3D", [VOLUME], padding=[[1, 0], [0, 2], [1, 1]]),
        case("Cropping1D", [STEPS], cropping=[1, 2]),
        case("Cropping2D", [IMAGE], cropping=[[1, 0], [2, 1]]),
        case("Cropping3D", [VOLUME], cropping=[[1, 1], [2, 0], [0, 1]]),
    ]  # fmt: skip


def recurrent():
    return [
        case("SimpleRNN", [(5, 3)], units=4),
        case("SimpleRNN", [(5, 3)], units=4, return_sequences=True, go_backwards=True, use_bias=False, activation="relu"),
        case("SimpleRNN", [(5, 3)], units=4, dropout=0.3, recurrent_dropout=0.4, seed=3),
        case("LSTM", [(5, 3)], units=4),
        case("LSTM", [(5, 3)], units=8, return_sequences=True, unit_forget_bias=False),
        case("LSTM", [(5, 3), (4,), (4,)], units=4, return_state=True),
        case("LSTM", [(5, 3)], units=4, go_backwards=True, recurrent_activation="hard_sigmoid"),
        case("LSTM", [(5, 3)], units=4, unroll=True, return_sequences=True),
        case("LSTM", [(5, 3)], units=4, dropout=0.3, seed=3),
        case("LSTM", [(5, 3)], units=4, dropout=0.3, recurrent_dropout=0.4, seed=3),
        case("GRU", [(5, 3)], units=4),
        case("GRU", [(5, 3)], units=4, reset_after=False, return_sequences=True),
        case("GRU", [(5, 3), (4,)], units=4, use_bias=False, return_state=True),
        case("GRU", [(5, 3)], units=4, recurrent_dropout=0.4, seed=3),
        case("GRU", [(5, 3)], units=4, recurrent_dropout=0.4, reset_after=False, seed=3),
        case("Bidirectional", [(5, 3)], layer=inner("LSTM", units=4), merge_mode="concat"),
        case("Bidirectional", [(5, 3)], layer=inner("GRU", units=4, return_sequences=True), merge_mode="sum"),
        case("Bidirectional", [(5, 3)], layer=inner("SimpleRNN", units=4, return_state=True), merge_mode="ave"),
        case("Bidirectional", [(5, 3)], layer=inner("LSTM", units=4), merge_mode=None,
             backward_layer=inner("LSTM", units=4, activation="relu", go_backwards=True)),
        case("RNN", [(5, 3)], cell=inner("LSTMCell", units=4), return_sequences=True),
        case("RNN", [(5, 3)], cell=inner("StackedRNNCells", cells=[inner("GRUCell", units=4), inner("LSTMCell", units=5)])),
        case("RNN", [(5, 3)], cell=inner("StackedRNNCells", cells=[
            inner("SimpleRNNCell", units=4, dropout=0.3, seed=3), inner("LSTMCell", units=5)]), return_state=True),
        case("TimeDistributed", [(5, 3)], layer=inner("Dense", units=4, activation="tanh")),
        case("TimeDistributed", [(3, 5, 6, 2)], layer=inner("Conv2D", filters=3, kernel_size=2)),
    ]  # fmt: skip


def merging():
    """Layers that combine tensors, activations, and layers that change shapes."""
    return [
        case("Subtract", [(3, 4), (1, 4)]),
        case("Average", [(3, 4), (3, 4), (4,)]),
        case("Minimum", [(3, 4), (3, 1), (3, 4)]),
        case("Maximum", [(3, 4), (3, 4)]),
        case("Dot", [(4, 3), (4, 5)], axes=1),
        case("Dot", [(4, 3), (2, 4)], axes=[1, -1], normalize=True),
        case("Dot", [(6,), (6,)], axes=-1, normalize=True),
        case("ReLU", [(3, 4)]),
        case("ReLU", [(3, 4)], max_value=0.5, negative_slope=0.25),
        case("ReLU", [(3, 4)], threshold=0.3, negative_slope=0.5, max_value=1.5),
        case("ReLU", [(3, 4)], negative_slope=0.5),
        case("LeakyReLU", [(3, 4)]),
        case("ELU", [(3, 4)], alpha=0.5),
        case("PReLU", [(3, 4)]),
        case("PReLU", [IMAGE], shared_axes=[1, 2]),
        case("Softmax", [(3, 4)]),
        case("Softmax", [(3, 4)], axis=[1, 2]),
        case("RepeatVector", [(4,)], n=3),
        case("EinsumDense", [(3, 4)], equation="abc,cd->abd", output_shape=[3, 8], bias_axes="d", activation="relu"),
        case("EinsumDense", [(3, 4)], equation="...x,xy->...y", output_shape=6),
        case("EinsumDense", [(5, 4)], equation="abc,cde->abde", output_shape=[None, 2, 3], bias_axes="de"),
        case("EinsumDense", [(4, 3)], equation="ab...,bc->ac...", output_shape=5, bias_axes="c"),
        case("EinsumDense", [(5, 2, 3)], equation="abde,dec->abc", output_shape=[5, 4]),
        case("Identity", [(3, 4)]),
    ]  # fmt: skip


def noise():
    """Normalizations over groups, and layers that behave differently in training."""
    return [
        case("GroupNormalization", [IMAGE], groups=2),
        case("GroupNormalization", [(3, 8)], groups=-1, epsilon=1e-4, center=False),
        case("GroupNormalization", [(6, 3)], groups=3, axis=1, scale=False),
        case("UnitNormalization", [(3, 4)]),
        case("UnitNormalization", [(3, 4)], axis=[1, 2]),
        case("SpatialDropout1D", [(3, 8)], rate=0.4, seed=7),
        case("SpatialDropout2D", [IMAGE], rate=0.5, seed=8),
        case("SpatialDropout3D", [VOLUME], rate=0.5, seed=9),
        case("GaussianNoise", [(3, 8)], stddev=0.3, seed=7),
        case("GaussianDropout", [(3, 8)], rate=0.3, seed=7),
        case("AlphaDropout", [(3, 8)], rate=0.3, seed=7),
        case("ActivityRegularization", [(3, 4)], l1=0.1, l2=0.02),
    ]  # fmt: skip


def scores():
    """Attentions without projections."""
    return [
        case("Attention", [(5, 4), (3, 4)]),
        case("Attention", [(5, 4), (3, 6), (3, 4)], use_scale=True, score_mode="concat"),
        case("Attention", [(5, 4), (5, 4)], use_scale=True, dropout=0.3, seed=7, call={"use_causal_mask": True}),
        case("AdditiveAttention", [(5, 4), (3, 4)]),
        case("AdditiveAttention", [(5, 4), (3, 6), (3, 4)], use_scale=False),
    ]  # fmt: skip


def preparation():
    """Layers that prepare data, and pooling to a given size."""
    wide = (4, 9, 2)
    return [
        case("CenterCrop", [IMAGE], height=2, width=3),
        case("CenterCrop", [IMAGE], height=6, width=4),
        case("Resizing", [IMAGE], height=3, width=8),
        case("Resizing", [IMAGE], height=3, width=4, interpolation="bicubic", antialias=True),
        case("Resizing", [wide], height=6, width=6, crop_to_aspect_ratio=True),
        case("Resizing", [wide], height=5, width=5, pad_to_aspect_ratio=True, fill_value=0.5),
        case("Resizing", [IMAGE], height=7, width=3, interpolation="nearest"),
        case("Normalization", [(3, 4)], mean=0.4, variance=0.2),
        case("Normalization", [(3, 4)], mean=[0.1, -0.2, 0.3, 0.4], variance=[1.0, 2.0, 0.5, 4.0], invert=True),
        case("Normalization", [(2, 3)], axis=[1, 2], mean=[[0.1, -0.2, 0.3], [0.4, 0.5, 0.6]], variance=[[1.0, 2.0, 0.5], [4.0, 0.0, 9.0]], invert=True),
        case("AdaptiveAveragePooling1D", [(8, 3)], output_size=3),
        case("AdaptiveAveragePooling2D", [IMAGE], output_size=[3, 4]),
        case("AdaptiveAveragePooling3D", [VOLUME], output_size=2),
        case("AdaptiveMaxPooling1D", [(5, 3)], output_size=3),
        case("AdaptiveMaxPooling2D", [IMAGE], output_size=[3, 4]),
        case("AdaptiveMaxPooling3D", [VOLUME], output_size=[3, 2, 2]),
    ]  # fmt: skip


def augmentation():
    """Layers that change images in training."""
    rgb, gray, colors = (6, 5, 3), (5, 4, 1), {"colors": True, "value_range": [0, 1], "seed": 7}
    return [
        case("RandomFlip", [gray], mode="horizontal", seed=7),
        case("RandomFlip", [rgb], seed=9),
        case("RandomRotation", [rgb], factor=0.1, seed=7),
        case("RandomRotation", [gray], factor=[0.1, 0.3], fill_mode="constant", fill_value=0.5, seed=8),
        case("RandomTranslation", [rgb], height_factor=0.3, width_factor=[-0.2, 0.4], seed=7),
        case("RandomTranslation", [gray], height_factor=[-0.9, -0.6], width_factor=0.8, fill_mode="wrap", seed=8),
        case("RandomTranslation", [gray], height_factor=0.5, width_factor=0.0, interpolation="nearest", fill_mode="nearest", seed=9),
        case("RandomZoom", [rgb], height_factor=0.4, seed=7),
        case("RandomZoom", [gray], height_factor=[0.2, 0.5], width_factor=[-0.4, -0.1], fill_mode="constant", seed=8),
        case("RandomShear", [rgb], x_factor=0.4, y_factor=[0.1, 0.3], seed=7),
        case("RandomCrop", [rgb], height=4, width=3, seed=7),
        case("RandomCrop", [rgb], height=6, width=3, seed=7),
        case("RandomContrast", [rgb], factor=0.5, **colors),
        case("RandomContrast", [gray], factor=[0.2, 0.6], **colors),
        case("RandomBrightness", [rgb], factor=0.2, **colors),
        case("RandomBrightness", [gray], factor=[0.1, 0.3], **colors),
        case("RandomHue", [rgb], factor=0.5, **colors),
        case("RandomSaturation", [rgb], factor=[0.3, 0.7], **colors),
        case("RandomGrayscale", [rgb], factor=0.6, colors=True, seed=8),
        case("RandomInvert", [rgb], factor=0.8, **colors),
        case("RandomPosterization", [rgb], factor=4, **colors),
        case("RandomColorDegeneration", [rgb], factor=0.7, **colors),
        case("Solarization", [rgb], addition_factor=0.2, threshold_factor=[0.1, 0.5], **colors),
        case("AutoContrast", [rgb], colors=True, value_range=[0, 1]),
        case("RandomSharpness", [rgb], factor=0.6, **colors),
        case("RandomGaussianBlur", [rgb], factor=[0.7, 1.0], kernel_size=[3, 5], sigma=[0.5, 1.0], **colors),
        case("RandomErasing", [rgb], factor=[0.8, 1.0], scale=[0.2, 0.5], **colors),
        case("RandomPerspective", [rgb], factor=[0.7, 1.0], scale=0.6, seed=7),
        case("RandomPerspective", [gray], scale=0.9, interpolation="nearest", fill_value=0.5, seed=8),
        case("RandomElasticTransform", [(24, 20, 1)], factor=[0.7, 1.0], scale=[0.5, 1.0], colors=True, value_range=[0, 1], seed=7),
        case("Equalization", [rgb], colors=True, value_range=[0, 1]),
        case("Equalization", [gray], colors=True, value_range=[0, 1], bins=16),
        case("RandomColorJitter", [rgb], brightness_factor=0.2, contrast_factor=[0.1, 0.3], saturation_factor=[0.4, 0.6], hue_factor=0.1, **colors),
        case("RandomColorJitter", [rgb], saturation_factor=[0.4, 0.6], **{**colors, "seed": 8}),
        case("CutMix", [rgb], seed=7),
        case("CutMix", [gray], factor=[0.3, 0.9], seed=9),
        case("MixUp", [rgb], seed=8),
        case("MixUp", [gray], alpha=1.5, seed=9),
        case("RandAugment", [rgb], **colors),
        case("RandAugment", [rgb], num_ops=3, factor=0.3, **{**colors, "seed": 9}),
        case("RandomErasing", [rgb], factor=1.0, fill_value=0.4, **{**colors, "seed": 9}),
        case("AugMix", [rgb], seed=5, value_range=[0, 1], colors=True),
        case("AugMix", [rgb], seed=12, num_chains=2, chain_depth=2, factor=[0.1, 0.5], alpha=0.5, all_ops=False, interpolation="nearest"),
        case("ContrastLimitedAdaptiveHistogramEqualization", [rgb], value_range=[0, 1], colors=True, tile_grid_size=[2, 3]),
        case("ContrastLimitedAdaptiveHistogramEqualization", [gray], value_range=[-1, 2], clip_limit=0.0, tile_grid_size=[4, 2]),
        case("ContrastLimitedAdaptiveHistogramEqualization", [gray], value_range=[0, 1], colors=True, clip_limit=30.0),
    ]  # fmt: skip


def arguments():
    """Regularizers, constraints and other rare arguments."""
    l1, l2 = keras.regularizers.L1(0.01), keras.regularizers.L2(0.02)
    both = {"kernel_regularizer": l2, "kernel_constraint": keras.constraints.MaxNorm(0.8), "bias_regularizer": l1, "bias_constraint": "non_neg"}
    states = {"recurrent_regularizer": l1, "recurrent_constraint": keras.constraints.UnitNorm(), "activity_regularizer": l2}
    scaled = {"beta_regularizer": l1, "gamma_regularizer": l2, "beta_constraint": "non_neg", "gamma_constraint": keras.constraints.MaxNorm(0.8)}
    return [
        case("BatchNormalization", [(3, 4)], **scaled),
        case("BatchNormalization", [IMAGE], renorm=True, renorm_clipping={"rmax": 1.5, "rmin": 0.7, "dmax": 0.4}, renorm_momentum=0.8),
        case("BatchNormalization", [(6,)], renorm=True, center=False, scale=False),
        case("LayerNormalization", [(3, 8)], activity_regularizer=l2, **scaled),
        case("GroupNormalization", [(3, 8)], groups=2, **scaled),
        case("PReLU", [(3, 4)], alpha_regularizer=l2, alpha_constraint="non_neg"),
        case("Embedding", [(5,)], integers=12, input_dim=12, output_dim=4, embeddings_regularizer=l2,
             embeddings_constraint=keras.constraints.MaxNorm(0.8), activity_regularizer=l1),
        case("SeparableConv1D", [STEPS], filters=4, kernel_size=2, depthwise_regularizer=l1, pointwise_regularizer=l2,
             depthwise_constraint="non_neg", pointwise_constraint=keras.constraints.MaxNorm(0.8)),
        case("EinsumDense", [(3, 4)], equation="abc,cd->abd", output_shape=[3, 4], bias_axes="d", activity_regularizer=l2, **both),
        case("SimpleRNN", [(5, 3)], units=4, **both, **states),
        case("LSTM", [(5, 3)], units=4, return_sequences=True, **both, **states),
        case("GRU", [(5, 3)], units=4, **both, **states),
        case("Bidirectional", [(5, 3)], layer=inner("LSTM", units=4, recurrent_regularizer=l2, bias_constraint="non_neg")),
        case("MultiHeadAttention", [(5, 6), (5, 6)], num_heads=2, key_dim=3, output_shape=[2, 4], sliding_window=2, activity_regularizer=l2, **both),
        case("MultiHeadAttention", [(5, 6), (5, 4)], num_heads=4, key_dim=3, use_gate=True, call={"use_causal_mask": True}),
        case("GroupQueryAttention", [(5, 6), (5, 6)], head_dim=3, num_query_heads=4, num_key_value_heads=2, sliding_window=3, use_gate=True,
             activity_regularizer=l2, **both),
        case("Dropout", [(3, 8)], rate=0.4, noise_shape=[None, 1, 8], seed=7),
        case("AlphaDropout", [(3, 8)], rate=0.3, noise_shape=[None, 3, 1], seed=7),
        case("Rescaling", [(3, 4)], scale=[0.5, 2.0, -1.0, 0.1], offset=[1.0, 0.0, 0.5, -2.0]),
        case("MaxPooling1D", [STEPS], activity_regularizer=l2),
    ]  # fmt: skip


def wrapping():
    """Convolutional LSTMs, and layers that consist of others."""
    return [
        case("ConvLSTM1D", [(3, 5, 2)], filters=4, kernel_size=3),
        case("ConvLSTM1D", [(3, 6, 2)], filters=2, kernel_size=2, strides=2, padding="same", return_sequences=True, dropout=0.3, recurrent_dropout=0.4, seed=3),
        case("ConvLSTM2D", [(3, 4, 3, 2)], filters=2, kernel_size=[2, 3], padding="same", return_state=True, recurrent_activation="hard_sigmoid"),
        case("ConvLSTM2D", [(3, 4, 4, 2)], filters=2, kernel_size=2, dilation_rate=2, go_backwards=True, use_bias=False,
             kernel_regularizer=keras.regularizers.L2(0.02), recurrent_constraint="non_neg"),
        case("ConvLSTM3D", [(2, 3, 2, 3, 2)], filters=2, kernel_size=2, unit_forget_bias=False, dropout=0.3, seed=3),
        case("SpectralNormalization", [(3, 4)], layer=inner("Dense", units=4, activation="tanh")),
        case("SpectralNormalization", [IMAGE], layer=inner("Conv2D", filters=4, kernel_size=2), power_iterations=3),
        case("Pipeline", [(3, 4)], layers=[inner("Rescaling", scale=0.5), inner("Dense", units=4), inner("Dropout", rate=0.4, seed=7)]),
    ]  # fmt: skip


def signals():
    """Embeddings in both directions, spectrograms."""
    return [
        case("ReversibleEmbedding", [(5,)], integers=12, input_dim=12, output_dim=4),
        case("ReversibleEmbedding", [(3, 4)], call={"reverse": True}, input_dim=12, output_dim=4),
        case("ReversibleEmbedding", [(3, 4)], call={"reverse": True}, input_dim=12, output_dim=4, tie_weights=False, logit_soft_cap=0.5,
             embeddings_regularizer=keras.regularizers.L2(0.02)),
        case("ReversibleEmbedding", [(3, 4)], call={"reverse": True}, input_dim=5, output_dim=4, reverse_dtype="float32", mask_zero=True),
        case("STFTSpectrogram", [(20, 2)], frame_length=6, padding="same"),
        case("STFTSpectrogram", [(20, 1)], frame_length=6, frame_step=2, mode="magnitude", window="hamming", periodic=True, expand_dims=True),
        case("STFTSpectrogram", [(20, 2)], frame_length=4, fft_length=6, mode="psd", window=None, scaling=None, expand_dims=True),
        case("STFTSpectrogram", [(20, 2)], frame_length=4, mode="stft", scaling="spectrum", window=[0.1, 1.0, 0.5, 0.2]),
        case("STFTSpectrogram", [(20, 1)], frame_length=5, mode="real"),
        case("STFTSpectrogram", [(20, 1)], frame_length=5, mode="imag"),
        case("STFTSpectrogram", [(20, 1)], frame_length=5, mode="angle"),
        case("MelSpectrogram", [(30,)], fft_length=8, sequence_stride=3, sampling_rate=160, num_mel_bins=2, min_freq=0.0, top_db=12.0),
        case("MelSpectrogram", [(30,)], fft_length=8, sequence_length=5, sequence_stride=4, sampling_rate=100, num_mel_bins=3, min_freq=5.0, max_freq=40.0,
             window="hamming", top_db=10.0, ref_power=2.0),
        case("MelSpectrogram", [(30,)], fft_length=7, sequence_stride=4, sampling_rate=100, num_mel_bins=3, power_to_db=False, mag_exp=1.0),
    ]  # fmt: skip


FILES = {"layers_signals": signals, "layers_augmentation": augmentation, "layers_wrapping": wrapping, "layers_arguments": arguments, "layers_preparation": preparation, "layers": cases, "layers_spatial": spatial, "layers_merging": merging, "layers_noise": noise, "layers_scores": scores}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", default=OUTPUT)
    parser.add_argument("files", nargs="*", help="which to write, all by default: " + ", ".join(FILES))
    args = parser.parse_args()
    for name in args.files or FILES:
        path = os.path.join(args.output, name + ".json")
        write_json(path, {"made_with": versions(), "batch": BATCH, "rate": RATE, "cases": FILES[name]()})


if __name__ == "__main__":
    main()
