"""Writes models whose inputs are texts and categories, as Keras on TensorFlow saves them, with what they
predict and how they train: into keras/saving/testdata/host. Needs the environment of
lookup_reference.py:

    tf/bin/python text_models_reference.py [NAME ...]
    tf/bin/python text_models_reference.py --ask FILE.keras ...   print what files predict and how they train
"""

import json

import os
import sys

os.environ["KERAS_BACKEND"] = "tensorflow"
os.environ["CUDA_VISIBLE_DEVICES"] = ""

import keras
import numpy as np
import tensorflow as tf
from keras import layers
from reference import floats, write_json

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = os.path.join(ROOT, "keras/saving/testdata/host")

N = 24
# The gradient of an Embedding is sparse on TensorFlow, and Adam takes another step of it than on JAX; the
# gradient of a penalty makes it dense.
DENSE = keras.regularizers.L2(1e-4)
REVIEWS = ["The fox, and the dog!", "a bird sings", "the DOG sleeps all day", "quick quick fox", "", "bird and fox and dog", "Nothing to see", "the bird the bird"]
COLORS = ["red", "green", "blue", "red", "teal", "green"]
SIZES = [3, 7, 7, 100, 3, -2, 7]


def column(values, dtype):
    return np.array([[values[(i * 5 + i // 3) % len(values)]] for i in range(N)], dtype=dtype)


def labels():
    return np.array([[float(i % 3 == 0)] for i in range(N)], "float32")


def numbers():
    return np.array([[((i * 7) % 11) / 4 - 1] for i in range(N)], "float32")


def reviews():
    """A TextVectorization before an Embedding, in a functional model."""
    vectorize = layers.TextVectorization(output_sequence_length=5, name="vectorize")
    vectorize.adapt(REVIEWS)
    x = keras.Input((1,), dtype="string", name="review")
    y = layers.Embedding(vectorize.vocabulary_size(), 3, mask_zero=True, name="embed", embeddings_regularizer=DENSE)(vectorize(x))
    y = layers.GlobalAveragePooling1D(name="mean")(y)
    return keras.Model(x, layers.Dense(1, activation="sigmoid", name="good")(y), name="reviews"), {"review": column(REVIEWS, object)}


def tf_idf():
    """A Sequential of a TextVectorization with weights."""
    vectorize = layers.TextVectorization(output_mode="tf_idf", ngrams=2, name="vectorize")
    vectorize.adapt(REVIEWS)
    m = keras.Sequential([keras.Input((1,), dtype="string", name="review"), vectorize, layers.Dense(4, activation="relu", name="hidden"), layers.Dense(1, activation="sigmoid", name="good")], name="tf_idf")
    return m, {"review": column(REVIEWS, object)}


def table():
    """All lookups in one model, some of them in sequence."""
    color, shade = (keras.Input((1,), dtype="string", name=n) for n in ("color", "shade"))
    size, number = keras.Input((1,), dtype="int64", name="size"), keras.Input((1,), name="number")
    by_color = layers.StringLookup(output_mode="one_hot", name="by_color")
    by_color.adapt(COLORS)
    index = layers.StringLookup(vocabulary=["red", "green"], num_oov_indices=2, name="index")
    by_size = layers.IntegerLookup(name="by_size")
    by_size.adapt(np.array(SIZES))
    bins = layers.Discretization(bin_boundaries=[-0.5, 0.0, 0.75], name="bins")
    hashed = layers.Hashing(4, output_mode="one_hot", salt=7, name="hashed")
    at = by_size(size)
    crossed = layers.HashedCrossing(6, output_mode="one_hot", name="crossed")([index(color), bins(number)])
    sizes = layers.Flatten(name="flat")(layers.Embedding(by_size.vocabulary_size(), 2, name="sizes", embeddings_regularizer=DENSE)(at))
    y = layers.Concatenate(name="all")([by_color(color), hashed(shade), crossed, sizes, number])
    m = keras.Model([color, shade, size, number], layers.Dense(1, activation="sigmoid", name="good")(y), name="table")
    return m, {"color": column(COLORS, object), "shade": column(COLORS[::-1], object), "size": column(SIZES, "int64"), "number": numbers()}


def nested():
    """An end-to-end model: a lookup before a model that was trained without it."""
    inner = keras.Sequential([keras.Input((4,)), layers.Dense(1, activation="sigmoid", name="good")], name="trained")
    lookup = layers.StringLookup(vocabulary=["red", "green", "blue"], output_mode="multi_hot", name="lookup")
    x = keras.Input((1,), dtype="string", name="color")
    return keras.Model(x, inner(lookup(x)), name="nested"), {"color": column(COLORS, object)}


def given(x):
    """Returns data in the models' form: a tensor of texts or an array for each input."""
    data = [tf.constant(v.tolist(), tf.string) if v.dtype == object else v for v in x]
    return data if len(data) > 1 else data[0]


def answer(model, x):
    data = given(x)
    before = model.predict(data, verbose=0)
    history = model.fit(data, labels(), batch_size=8, epochs=2, shuffle=False, verbose=0).history
    return {
        "before": floats(before.ravel()), "loss": [float(v) for v in history["loss"]], "accuracy": [float(v) for v in history["accuracy"]],
        "after": floats(model.predict(data, verbose=0).ravel()),
    }  # fmt: skip


def ask(files):
    answers = []
    for file in files:
        keras.utils.clear_session()
        with open(os.path.join(FOLDER, os.path.basename(file).replace(".keras", ".json"))) as f:
            made = json.load(f)
        x = [np.array(made["x"][k]).reshape(N, 1) for k in made["order"]]
        answers.append(answer(keras.models.load_model(file), [v.astype(object) if v.dtype.kind == "U" else v for v in x]))
    print(json.dumps(answers))


PATIENTS = {
    "sex": [i % 2 for i in range(20)],
    "age": [29.0 + (i * 13) % 48 for i in range(20)],
    "chol": [126.0 + (i * 37) % 211 for i in range(20)],
    "thal": [["fixed", "normal", "reversible", "normal", "1"][(i * 3 + i // 4) % 5] for i in range(20)],
    "code": [["a1", "b2", "c3"][i * i % 3] for i in range(20)],
    "zone": [(i * 7) % 9 for i in range(20)],
    "slope": [(i % 4) / 4 - 0.5 for i in range(20)],
    "oldpeak": [(i % 7) / 2 for i in range(20)],
}


def feature_space(mode):
    kinds = keras.utils.FeatureSpace
    return kinds(
        features={
            "sex": kinds.integer_categorical(num_oov_indices=0), "thal": "string_categorical", "age": kinds.float_discretized(num_bins=6),
            "chol": "float_normalized", "code": kinds.string_hashed(num_bins=5), "zone": "integer_hashed", "slope": "float",
            "oldpeak": kinds.float_rescaled(scale=0.5, offset=-1.0),
        },
        crosses=[("sex", "age"), ("thal", "code")], crossing_dim=8, hashing_dim=4, output_mode=mode,
    )  # fmt: skip


def space():
    """Writes the output of a FeatureSpace for a table."""
    table = {k: np.array(v) for k, v in PATIENTS.items()}
    out = {"made_with": {"keras": keras.__version__, "tensorflow": tf.__version__}, "table": PATIENTS}
    for mode in ["concat", "dict"]:
        made = feature_space(mode)
        made.adapt(tf.data.Dataset.from_tensor_slices(table).batch(32))
        got = made({k: tf.constant(v) for k, v in table.items()})
        out[mode] = floats(np.asarray(got)) if mode == "concat" else {k: floats(np.asarray(v)) for k, v in got.items()}
    write_json(os.path.join(ROOT, "keras/featurespace/testdata/space.json"), out)


def main():
    if sys.argv[1:2] == ["--ask"]:
        return ask(sys.argv[2:])
    if not sys.argv[1:] or "space" in sys.argv[1:]:
        space()
    for build in [reviews, tf_idf, table, nested]:
        if sys.argv[1:] and build.__name__ not in sys.argv[1:]:
            continue
        keras.utils.clear_session()
        keras.utils.set_random_seed(3)
        model, x = build()
        model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
        model.fit(given(list(x.values())), labels(), batch_size=8, epochs=1, shuffle=False, verbose=0)
        model.save(os.path.join(FOLDER, build.__name__ + ".keras"))
        write_json(os.path.join(FOLDER, build.__name__ + ".json"), {
            "made_with": {"keras": keras.__version__, "tensorflow": tf.__version__}, "order": list(x),
            "x": {k: v.ravel().tolist() for k, v in x.items()}, "y": floats(labels().ravel()), **answer(model, list(x.values())),
        })  # fmt: skip


if __name__ == "__main__":
    main()
