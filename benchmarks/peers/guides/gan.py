"""DCGAN, by overriding train_step"""

import jax
import keras
import numpy as np
from keras import layers, ops

from guides.guide import ByHand, fractions


class Example(ByHand):
    def model(self):
        image, point = keras.Input((8, 8, 1)), keras.Input((6,))
        x = image
        for n in 8, 16:
            x = layers.LeakyReLU(negative_slope=0.2)(layers.Conv2D(n, 3, strides=2, padding="same")(x))
        discriminator = keras.Model(image, layers.Dense(1)(layers.GlobalMaxPooling2D()(x)))
        x = layers.Reshape((2, 2, 16))(layers.LeakyReLU(negative_slope=0.2)(layers.Dense(64)(point)))
        for _ in range(2):
            x = layers.LeakyReLU(negative_slope=0.2)(layers.Conv2DTranspose(16, 4, strides=2, padding="same")(x))
        return [discriminator, keras.Model(point, layers.Conv2D(1, 5, activation="sigmoid", padding="same")(x))]

    def data(self):
        return fractions(1, 24, 8, 8, 1), None

    def fit(self, models, x, y):
        d, g = models
        seed, entropy = keras.random.SeedGenerator(1337), keras.losses.BinaryCrossentropy(from_logits=True)
        d_adam, g_adam = keras.optimizers.Adam(3e-4), keras.optimizers.Adam(3e-4)
        d_adam.build(d.trainable_variables)
        g_adam.build(g.trainable_variables)
        losses = []
        for epoch in self.batches(x):
            total = []
            for real in epoch:
                n = len(real)
                images = ops.concatenate([g(keras.random.normal((n, 6), seed=seed)), real])
                labels = ops.concatenate([ops.ones((n, 1)), ops.zeros((n, 1))]) + 0.05 * keras.random.uniform((2 * n, 1), seed=seed)
                gradients = jax.grad(lambda v: entropy(labels, d.stateless_call(v, [], images)[0]))([v.value for v in d.trainable_variables])
                d_adam.apply(gradients, d.trainable_variables)
                noise = keras.random.normal((n, 6), seed=seed)
                loss, gradients = jax.value_and_grad(lambda v: entropy(ops.zeros((n, 1)), d(g.stateless_call(v, [], noise)[0])))([v.value for v in g.trainable_variables])
                g_adam.apply(gradients, g.trainable_variables)
                total.append(float(loss))
            losses.append(np.mean(total))
        return losses

    def show(self, models, x):
        return models[0].predict(x, verbose=0)
