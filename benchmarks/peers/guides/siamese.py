"""Image similarity estimation using a Siamese Network with a contrastive loss"""

import keras
from keras import layers, ops

from guides.guide import Guide, classes, fractions


class Example(Guide):
    class Distance(layers.Layer):
        def call(self, left, right):
            return ops.sqrt(ops.maximum(ops.sum((left - right) ** 2, axis=1, keepdims=True), 1e-7))

    @staticmethod
    def contrastive(y_true, y_pred):
        return ops.mean((1 - y_true) * y_pred**2 + y_true * ops.maximum(1 - y_pred, 0) ** 2, axis=-1)

    def model(self):
        image = keras.Input((14, 14, 1))
        x = layers.AveragePooling2D(2)(layers.Conv2D(4, 5, activation="tanh")(image))
        x = layers.Flatten()(layers.Conv2D(16, 3, activation="tanh")(x))
        tower = keras.Model(image, layers.Dense(10, activation="tanh")(x))
        left, right = keras.Input((14, 14, 1)), keras.Input((14, 14, 1))
        model = keras.Model([left, right], layers.Dense(1, activation="sigmoid")(self.Distance()(tower(left), tower(right))))
        model.compile("rmsprop", self.contrastive)
        return model

    def data(self):
        return [fractions(1, 24, 14, 14, 1), fractions(2, 24, 14, 14, 1)], classes(3, 2, 24, 1).astype("float32")
