"""Structured data classification with FeatureSpace

Needs TensorFlow, as text_classification.
"""

import keras
import numpy as np
from keras import layers

from guides.guide import Guide, classes, fractions


class Example(Guide):
    epochs = 3

    def table(self):
        thal = [["fixed", "normal", "reversible"][c] for c in classes(4, 3, 48)]
        ranges = {"age": (5, 29, 77), "trestbps": (6, 94, 200), "chol": (7, 126, 564)}
        numbers = {k: np.float32(low) + fractions(seed, 48) * np.float32(high - low) for k, (seed, low, high) in ranges.items()}
        return {"sex": classes(1, 2, 48), "cp": classes(2, 5, 48), "ca": classes(3, 4, 48), "thal": np.array(thal), **numbers}

    def model(self):
        kinds = keras.utils.FeatureSpace
        category = {"num_oov_indices": 0}
        self.space = kinds(
            {
                "sex": kinds.integer_categorical(**category), "cp": kinds.integer_categorical(**category), "ca": kinds.integer_categorical(**category),
                "thal": kinds.string_categorical(**category), "age": kinds.float_discretized(num_bins=10), "trestbps": kinds.float_normalized(),
                "chol": kinds.float_normalized(),
            },
            crosses=[("sex", "age"), ("thal", "ca")], crossing_dim=16,
        )  # fmt: skip
        import tensorflow as tf

        self.space.adapt(tf.data.Dataset.from_tensor_slices(self.table()).batch(48))
        x = keras.Input(self.data()[0].shape[1:])
        y = layers.Dropout(0)(layers.Dense(32, activation="relu", name="hidden")(x))
        model = keras.Model(x, layers.Dense(1, activation="sigmoid", name="ill")(y))
        model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
        return model

    def data(self):
        return np.asarray(self.space(self.table())), classes(8, 2, 48)
