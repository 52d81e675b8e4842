"""Structured data classification from scratch"""

import keras
from keras import layers

from guides.guide import Guide, classes, fractions


class Example(Guide):
    epochs = 3
    numbers = ["age", "blood_pressure", "cholesterol", "heart_rate"]
    categories = {"sex": 2, "chest_pain": 5, "thalassemia": 4}

    def model(self):
        inputs, features = [], []
        for name in self.numbers:
            inputs.append(keras.Input((1,), name=name))
            features.append(layers.Rescaling(2, offset=-1)(inputs[-1]))
        for name, values in self.categories.items():
            inputs.append(keras.Input((1,), name=name, dtype="int32"))
            features.append(layers.Flatten()(layers.Embedding(values, 3, name=name + "_values")(inputs[-1])))
        x = layers.Dropout(0)(layers.Dense(32, activation="relu", name="hidden")(layers.concatenate(features)))
        model = keras.Model(inputs, layers.Dense(1, activation="sigmoid", name="ill")(x))
        model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
        return model

    def data(self):
        x = [fractions(i, 48, 1) for i in range(4)] + [classes(i + 10, n, 48, 1) for i, n in enumerate(self.categories.values())]
        return x, classes(20, 2, 48)
