"""WGAN-GP overriding Model.train_step

Two steps of the critic, with a penalty on its gradient, for one of the generator.
"""

import jax
import keras
import numpy as np
from keras import layers, ops

from guides.guide import SHOWN, ByHand, fractions


class Example(ByHand):
    def model(self):
        x = image = keras.Input((8, 8, 1))
        for n in 8, 16:
            x = layers.LeakyReLU(negative_slope=0.2)(layers.Conv2D(n, 5, strides=2, padding="same")(x))
        critic = keras.Model(image, layers.Dense(1)(layers.Flatten()(x)))
        point = keras.Input((6,))
        x = layers.BatchNormalization()(layers.Dense(64, use_bias=False)(point))
        x = layers.UpSampling2D()(layers.Reshape((2, 2, 16))(layers.LeakyReLU(negative_slope=0.2)(x)))
        x = layers.LayerNormalization()(layers.Conv2D(8, 3, padding="same", use_bias=False)(x))
        x = layers.UpSampling2D()(layers.LeakyReLU(negative_slope=0.2)(x))
        return [critic, keras.Model(point, layers.Conv2D(1, 3, padding="same", activation="tanh")(x))]

    def data(self):
        return fractions(1, 24, 8, 8, 1), None

    def fit(self, models, x, y):
        d, g = models
        seed = keras.random.SeedGenerator(11)
        d_adam, g_adam = [keras.optimizers.Adam(2e-4, beta_1=0.5, beta_2=0.9) for _ in range(2)]
        d_adam.build(d.trainable_variables)
        g_adam.build(g.trainable_variables)

        def trained(model):
            return [v.value for v in model.trainable_variables]

        def call(model, variables, inputs, training):
            return model.stateless_call(variables, [v.value for v in model.non_trainable_variables], inputs, training=training)

        def critic_loss(variables, real, fake, between):
            slope = jax.grad(lambda images: ops.sum(call(d, variables, images, True)[0]))(between)
            penalty = ops.mean((ops.sqrt(ops.sum(ops.square(slope), axis=[1, 2, 3])) - 1.0) ** 2)
            return ops.mean(call(d, variables, fake, True)[0]) - ops.mean(call(d, variables, real, True)[0]) + 10.0 * penalty

        def generator_loss(variables, noise):
            images, averages = call(g, variables, noise, True)
            return -ops.mean(d(images)), averages

        losses = []
        for epoch in self.batches(x):
            total = []
            for real in epoch:
                for _ in range(2):
                    noise, share = keras.random.normal((len(real), 6), seed=seed), keras.random.uniform((len(real), 1, 1, 1), seed=seed)
                    fake = call(g, trained(g), noise, False)[0]
                    gradients = jax.grad(critic_loss)(trained(d), real, fake, real + share * (fake - real))
                    d_adam.apply(gradients, d.trainable_variables)
                noise = keras.random.normal((len(real), 6), seed=seed)
                (loss, averages), gradients = jax.value_and_grad(generator_loss, has_aux=True)(trained(g), noise)
                g_adam.apply(gradients, g.trainable_variables)
                for v, value in zip(g.non_trainable_variables, averages):
                    v.assign(value)
                total.append(float(loss))
            losses.append(np.mean(total))
        return losses

    def show(self, models, x):
        return [models[0].predict(x[:SHOWN], verbose=0), models[1].predict(fractions(9, 3, 6), verbose=0)]
