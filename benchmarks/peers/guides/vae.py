"""Variational AutoEncoder"""

import jax
import keras
import numpy as np
from keras import layers, ops

from guides.guide import ByHand, fractions


class Example(ByHand):
    def model(self):
        image, point = keras.Input((8, 8, 1)), keras.Input((2,))
        down = {"strides": 2, "activation": "relu", "padding": "same"}
        x = layers.Conv2D(16, 3, **down)(layers.Conv2D(8, 3, **down)(image))
        x = layers.Dense(16, activation="relu")(layers.Flatten()(x))
        self.encoder = keras.Model(image, [layers.Dense(2)(x), layers.Dense(2)(x)])
        x = layers.Reshape((2, 2, 16))(layers.Dense(64, activation="relu")(point))
        x = layers.Conv2DTranspose(8, 3, **down)(layers.Conv2DTranspose(16, 3, **down)(x))
        self.decoder = keras.Model(point, layers.Conv2DTranspose(1, 3, activation="sigmoid", padding="same")(x))
        return [self.encoder, self.decoder]

    def data(self):
        return fractions(1, 24, 8, 8, 1), None

    def fit(self, models, x, y):
        encoder, decoder = models
        n, seed, optimizer = len(encoder.trainable_variables), keras.random.SeedGenerator(1337), keras.optimizers.Adam()
        optimizer.build(encoder.trainable_variables + decoder.trainable_variables)

        def loss_of(values, images, epsilon):
            (mean, log_var), _ = encoder.stateless_call(values[:n], [], images)
            out, _ = decoder.stateless_call(values[n:], [], mean + ops.exp(0.5 * log_var) * epsilon)
            like = ops.mean(ops.sum(keras.losses.binary_crossentropy(images, out), axis=(1, 2)))
            return like + ops.mean(ops.sum(-0.5 * (1 + log_var - mean**2 - ops.exp(log_var)), axis=1))

        losses = []
        for epoch in self.batches(x):
            total = []
            for images in epoch:
                variables = encoder.trainable_variables + decoder.trainable_variables
                epsilon = keras.random.normal((len(images), 2), seed=seed)
                loss, gradients = jax.value_and_grad(loss_of)([v.value for v in variables], images, epsilon)
                optimizer.apply(gradients, variables)
                total.append(float(loss))
            losses.append(np.mean(total))
        return losses

    def show(self, models, x):
        return models[1].predict(np.array([[-1, -1], [0, 0], [1, 0.5]], "float32"), verbose=0)
