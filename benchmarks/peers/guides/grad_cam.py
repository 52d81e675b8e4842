"""Grad-CAM class activation visualization"""

import jax
import keras
import numpy as np
from keras import layers, ops

from guides.guide import Guide, classes, fractions


class Example(Guide):
    def model(self):
        image = keras.Input((12, 12, 3))
        x = layers.MaxPooling2D()(layers.Conv2D(8, 3, activation="relu")(image))
        x = layers.Conv2D(12, 3, activation="relu", name="last")(x)
        model = keras.Model(image, layers.Dense(5)(layers.GlobalAveragePooling2D()(x)))
        model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
        return model

    def data(self):
        return fractions(1, 24, 12, 12, 3), classes(2, 5, 24)

    def heatmap(self, features, head, image):
        a = features(image)
        best = int(ops.argmax(head(a)[0]))
        pooled = ops.mean(jax.grad(lambda a: head(a)[0, best])(a), axis=(0, 1, 2))
        heat = ops.maximum(ops.squeeze(ops.matmul(a[0], pooled[..., None])), 0)
        return np.array(heat / ops.max(heat))

    def show(self, model, x):
        last = model.get_layer("last").output
        features, head = keras.Model(model.inputs, last), keras.Model(last, model.output)
        return np.stack([self.heatmap(features, head, x[i : i + 1]) for i in range(2)])
