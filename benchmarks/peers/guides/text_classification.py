"""Text classification from scratch

Needs TensorFlow, which has Keras' lookups: the environment of lookup_reference.py, with jax.
"""

import keras
import numpy as np
from keras import layers

from guides.guide import Guide, classes


class Example(Guide):
    epochs = 3
    words = "the a film plot actor song was is and but good bad great dull long short funny sad I liked hated never again twice story end music".split()

    def texts(self):
        choices = classes(3, len(self.words), 48, 12)
        texts = [[self.words[c] for c in row[: 5 + i % 8]] for i, row in enumerate(choices)]
        return [" ".join([t[0].upper(), *t[1:]]) + "!" for t in texts]

    def model(self):
        self.vectorize = layers.TextVectorization(max_tokens=24, output_sequence_length=12)
        self.vectorize.adapt(self.texts())
        x = keras.Input((None,), dtype="int64")
        y = layers.Dropout(0)(layers.Embedding(24, 8)(x))
        for name in ["conv1", "conv2"]:
            y = layers.Conv1D(16, 3, padding="valid", activation="relu", strides=2, name=name)(y)
        y = layers.Dense(16, activation="relu")(layers.GlobalMaxPooling1D()(y))
        model = keras.Model(x, layers.Dense(1, activation="sigmoid")(layers.Dropout(0)(y)))
        model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
        return model

    def data(self):
        return np.asarray(self.vectorize(np.array(self.texts()))), classes(5, 2, 48)
