"""Transfer learning & fine-tuning"""

import keras
from keras import layers

from guides.guide import Guide, classes, fractions


class Example(Guide):
    def model(self):
        x = image = keras.Input((12, 12, 3))
        x = layers.BatchNormalization()(layers.Conv2D(8, 3, strides=2, activation="relu")(x))
        x = layers.BatchNormalization()(layers.Conv2D(16, 3, activation="relu")(x))
        base = keras.Model(image, x, name="base")
        base.trainable = False
        image = keras.Input((12, 12, 3))
        x = layers.GlobalAveragePooling2D()(base(layers.Rescaling(2, offset=-1)(image), training=False))
        model = keras.Model(image, layers.Dense(1)(layers.Dropout(0)(x)))
        self.compile(model, 1e-2)
        return model

    def compile(self, model, rate):
        model.compile(keras.optimizers.Adam(rate), keras.losses.BinaryCrossentropy(from_logits=True), metrics=["accuracy"])

    def data(self):
        return fractions(1, 48, 12, 12, 3), classes(2, 2, 48)

    def fit(self, model, x, y):
        losses = super().fit(model, x, y)
        model.get_layer("base").trainable = True
        self.compile(model, 1e-4)
        self.epochs = 1
        return losses + super().fit(model, x, y)
