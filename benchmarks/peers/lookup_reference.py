"""Writes what Keras' layers for texts and categories compute. These layers need TensorFlow, which
requirements.txt does not have, and run on its backend:

    python -m venv tf && tf/bin/pip install tensorflow-cpu==2.21.0 keras==3.15.0
    tf/bin/python lookup_reference.py [-o FILE]
"""

import argparse
import json
import os

os.environ["KERAS_BACKEND"] = "tensorflow"
os.environ["CUDA_VISIBLE_DEVICES"] = ""

import keras
import numpy as np
import tensorflow as tf
from keras import layers

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OUTPUT = os.path.join(ROOT, "keras/testdata/reference/lookup.json")
ANIMALS = ["cat", "dog", "bird", "dog", "", "cat", "dog", "eel", "fox", "[UNK]"]
QUERY = [["dog", "cat", "emu"], ["", "fox", "dog"], ["gnu", "ibex", "eel"]]
NUMBERS = [3, 7, 7, -2, 100, 3, 7, 0, -1]
TEXTS = ["The quick, brown fox.", "A dog's life: the FOX and the dog!", "  ", "Über-äpfel\tthe\u00a0fox"]
OTHERS = ["the fox is a dog", "brown äpfel", "nothing known here at all"]


def case(kind, data, adapt=None, **config):
    keras.backend.clear_session()
    layer = getattr(layers, kind)(name="layer", **config)
    if adapt is not None:
        layer.adapt(adapt)
    out = layer([np.array(d) for d in data]) if kind == "HashedCrossing" else layer(np.array(data) if not isinstance(data, tf.Tensor) else data)
    result = {"layer": kind, "serialized": json.loads(json.dumps(keras.layers.serialize(layer))), "adapt": adapt, "data": data}
    out = np.asarray(out)
    if out.dtype == object or out.dtype.kind == "S":
        out = np.char.decode(out.astype(np.bytes_), "utf-8")
    result["shape"], result["output"] = list(out.shape), np.round(out.astype(np.float64), 6).ravel().tolist() if out.dtype.kind != "U" else out.ravel().tolist()
    if hasattr(layer, "get_vocabulary"):
        vocabulary = layer.get_vocabulary()
        result["vocabulary"] = [v if isinstance(v, str) else int(v) for v in vocabulary]
    return result


def cases():
    modes = ["one_hot", "multi_hot", "count", "tf_idf"]
    return [
        case("StringLookup", QUERY, adapt=ANIMALS),
        case("StringLookup", QUERY, adapt=ANIMALS, mask_token="", max_tokens=5, num_oov_indices=2),
        case("StringLookup", QUERY, vocabulary=["cat", "dog", "eel"], num_oov_indices=3, salt=[7, 11], mask_token="fox"),
        case("StringLookup", [[1, 2], [3, 0], [9, 4]], vocabulary=["cat", "dog", "eel"], invert=True),
        case("StringLookup", [[1, 2], [3, 0]], vocabulary=["", "[UNK]", "cat", "dog"], invert=True, mask_token=""),
        *[case("StringLookup", QUERY, adapt=ANIMALS, output_mode=m) for m in modes],
        case("StringLookup", QUERY[0], adapt=ANIMALS, output_mode="multi_hot", mask_token="dog", pad_to_max_tokens=True, max_tokens=9),
        case("StringLookup", QUERY, vocabulary=["cat", "dog"], idf_weights=[0.5, 0.25], output_mode="tf_idf", max_tokens=5, pad_to_max_tokens=True),
        case("IntegerLookup", [[3, 7], [0, 8]], adapt=NUMBERS),
        case("IntegerLookup", [[3, -7], [0, 8]], vocabulary=[3, 100], num_oov_indices=3, mask_token=0),
        case("IntegerLookup", [[3, -7], [0, 8]], vocabulary=[3, 100], num_oov_indices=3, oov_method="farmhash"),
        case("IntegerLookup", [[1, 2], [0, 5]], vocabulary=[3, 100], invert=True),
        case("IntegerLookup", [3, 7, 7], adapt=NUMBERS, output_mode="count"),
        case("TextVectorization", OTHERS, adapt=TEXTS),
        case("TextVectorization", OTHERS, adapt=TEXTS, output_sequence_length=4, max_tokens=6),
        case("TextVectorization", OTHERS, adapt=TEXTS, ngrams=2, standardize="lower"),
        case("TextVectorization", OTHERS, adapt=TEXTS, ngrams=(2,), standardize=None, output_mode="multi_hot"),
        case("TextVectorization", OTHERS, adapt=TEXTS, split="character", standardize="strip_punctuation", output_sequence_length=9),
        case("TextVectorization", OTHERS, adapt=TEXTS, output_mode="tf_idf"),
        case("TextVectorization", OTHERS, vocabulary=["fox", "dog", "the"], output_mode="count", pad_to_max_tokens=True, max_tokens=8),
        case("Hashing", [["A"], ["B"], [""], ["äpfel, a longer text of more than thirty-two bytes, and then some more of it"]], num_bins=3),
        case("Hashing", [["A"], ["B"], [""], ["D"]], num_bins=5, mask_value="", salt=[133, 137]),
        case("Hashing", [[1, 2, 3], [4, 5, -6]], num_bins=1000, mask_value=4),
        case("Hashing", [["A", "B"], ["C", "A"]], num_bins=4, output_mode="multi_hot"),
        case("Hashing", [["A"], ["B"]], num_bins=4, output_mode="one_hot", salt=3),
        case("HashedCrossing", [["A", "B", "A"], [101, 101, 102]], num_bins=50),
        case("HashedCrossing", [["A", "B"], ["x", "y"], [1, 2]], num_bins=5, output_mode="one_hot"),
    ]  # fmt: skip


def archive(path):
    """Writes a model whose input are texts, and returns what its layers of the host compute."""
    keras.backend.clear_session()
    texts, numbers = keras.Input((1,), dtype="string"), keras.Input((2,), dtype="int64")
    words = layers.TextVectorization(output_sequence_length=3, name="words")
    words.adapt(["the fox is here", "the dog"])
    ids = layers.IntegerLookup(name="ids", output_mode="tf_idf")
    ids.adapt([3, 3, 4])
    x = layers.Flatten()(layers.Embedding(8, 2)(words(texts)))
    keras.Model([texts, numbers], layers.Dense(2)(layers.Concatenate()([x, ids(numbers)]))).save(path)
    return {"words": np.asarray(words(["the dog flies"])).ravel().tolist(), "ids": np.round(np.asarray(ids(np.array([[3, 9]]))), 6).ravel().tolist()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", default=OUTPUT)
    out = parser.parse_args().o
    file = archive(os.path.join(ROOT, "keras/saving/testdata/host/words.keras"))
    with open(out, "w") as f:
        made = {"file": file, "made_with": {"keras": keras.__version__, "tensorflow": tf.__version__}}
        rows = ",\n".join(json.dumps(c, ensure_ascii=False) for c in cases())
        f.write(json.dumps(made)[:-1] + ', "cases": [\n' + rows + "\n]}\n")
    print("wrote", out, os.path.getsize(out), "bytes")


if __name__ == "__main__":
    main()
