"""Denoising Diffusion Implicit Models"""

import math

import jax
import keras
import numpy as np
from keras import layers, ops

from guides.guide import ByHand, fractions

image_size, widths, block_depth = 8, [4, 8], 1
embedding_dims, embedding_max_frequency = 8, 20.0
min_signal_rate, max_signal_rate, ema = 0.02, 0.95, 0.9


def sinusoidal_embedding(x):
    embedding_min_frequency = 1.0
    frequencies = ops.exp(
        ops.linspace(
            ops.log(embedding_min_frequency),
            ops.log(embedding_max_frequency),
            embedding_dims // 2,
        )
    )
    angular_speeds = ops.cast(2.0 * math.pi * frequencies, "float32")
    return ops.concatenate([ops.sin(angular_speeds * x), ops.cos(angular_speeds * x)], axis=3)


def ResidualBlock(width):
    def apply(x):
        input_width = x.shape[3]
        if input_width == width:
            residual = x
        else:
            residual = layers.Conv2D(width, kernel_size=1)(x)
        x = layers.BatchNormalization(center=False, scale=False)(x)
        x = layers.Conv2D(width, kernel_size=3, padding="same", activation="swish")(x)
        x = layers.Conv2D(width, kernel_size=3, padding="same")(x)
        x = layers.Add()([x, residual])
        return x

    return apply


def DownBlock(width, block_depth):
    def apply(x):
        x, skips = x
        for _ in range(block_depth):
            x = ResidualBlock(width)(x)
            skips.append(x)
        x = layers.AveragePooling2D(pool_size=2)(x)
        return x

    return apply


def UpBlock(width, block_depth):
    def apply(x):
        x, skips = x
        x = layers.UpSampling2D(size=2, interpolation="bilinear")(x)
        for _ in range(block_depth):
            x = layers.Concatenate()([x, skips.pop()])
            x = ResidualBlock(width)(x)
        return x

    return apply


def get_network(image_size, widths, block_depth):
    noisy_images = keras.Input(shape=(image_size, image_size, 3))
    noise_variances = keras.Input(shape=(1, 1, 1))

    e = layers.Lambda(sinusoidal_embedding, output_shape=(1, 1, embedding_dims))(noise_variances)
    e = layers.UpSampling2D(size=image_size, interpolation="nearest")(e)

    x = layers.Conv2D(widths[0], kernel_size=1)(noisy_images)
    x = layers.Concatenate()([x, e])

    skips = []
    for width in widths[:-1]:
        x = DownBlock(width, block_depth)([x, skips])

    for _ in range(block_depth):
        x = ResidualBlock(widths[-1])(x)

    for width in reversed(widths[:-1]):
        x = UpBlock(width, block_depth)([x, skips])

    x = layers.Conv2D(3, kernel_size=1, kernel_initializer="zeros")(x)

    return keras.Model([noisy_images, noise_variances], x, name="residual_unet")


class DiffusionModel(keras.Model):
    def __init__(self, image_size, widths, block_depth):
        super().__init__()
        self.normalizer = layers.Normalization()
        self.network = get_network(image_size, widths, block_depth)
        self.ema_network = get_network(image_size, widths, block_depth)
        self.seed = keras.random.SeedGenerator(5)
        self.noise_loss_tracker = keras.metrics.Mean(name="n_loss")
        self.image_loss_tracker = keras.metrics.Mean(name="i_loss")

    def denormalize(self, images):
        images = self.normalizer.mean + images * self.normalizer.variance**0.5
        return ops.clip(images, 0.0, 1.0)

    def diffusion_schedule(self, diffusion_times):
        start_angle = ops.cast(ops.arccos(max_signal_rate), "float32")
        end_angle = ops.cast(ops.arccos(min_signal_rate), "float32")
        diffusion_angles = start_angle + diffusion_times * (end_angle - start_angle)
        signal_rates = ops.cos(diffusion_angles)
        noise_rates = ops.sin(diffusion_angles)
        return noise_rates, signal_rates

    def denoise(self, network, noisy_images, noise_rates, signal_rates):
        pred_noises = network([noisy_images, noise_rates**2])
        pred_images = (noisy_images - noise_rates * pred_noises) / signal_rates
        return pred_noises, pred_images

    def reverse_diffusion(self, initial_noise, diffusion_steps):
        num_images = initial_noise.shape[0]
        step_size = 1.0 / diffusion_steps
        next_noisy_images = initial_noise
        for step in range(diffusion_steps):
            noisy_images = next_noisy_images
            diffusion_times = ops.ones((num_images, 1, 1, 1)) - step * step_size
            noise_rates, signal_rates = self.diffusion_schedule(diffusion_times)
            pred_noises, pred_images = self.denoise(self.ema_network, noisy_images, noise_rates, signal_rates)
            next_diffusion_times = diffusion_times - step_size
            next_noise_rates, next_signal_rates = self.diffusion_schedule(next_diffusion_times)
            next_noisy_images = next_signal_rates * pred_images + next_noise_rates * pred_noises
        return pred_images

    def call(self, initial_noise):
        return self.denormalize(self.reverse_diffusion(initial_noise, diffusion_steps=2))

    def compute_losses(self, trainable, rest, images, noises, diffusion_times):
        noise_rates, signal_rates = self.diffusion_schedule(diffusion_times)
        noisy_images = signal_rates * images + noise_rates * noises
        averages = []

        def network(x):
            y, after = self.network.stateless_call(trainable, rest, x, training=True)
            averages.extend(after)
            return y

        pred_noises, pred_images = self.denoise(network, noisy_images, noise_rates, signal_rates)
        noise_loss = self.loss(noises, pred_noises)
        image_loss = self.loss(images, pred_images)
        return noise_loss, (image_loss, averages)

    def train_step(self, images):
        images = self.normalizer(images)
        noises = keras.random.normal(images.shape, seed=self.seed)
        diffusion_times = keras.random.uniform((len(images), 1, 1, 1), minval=0.0, maxval=1.0, seed=self.seed)
        trainable = [v.value for v in self.network.trainable_variables]
        rest = [v.value for v in self.network.non_trainable_variables]
        compute = jax.value_and_grad(self.compute_losses, has_aux=True)
        (noise_loss, (image_loss, rest)), gradients = compute(trainable, rest, images, noises, diffusion_times)
        self.optimizer.apply(gradients, self.network.trainable_variables)
        for v, value in zip(self.network.non_trainable_variables, rest):
            v.assign(value)
        self.noise_loss_tracker.update_state(noise_loss)
        self.image_loss_tracker.update_state(image_loss)

        # the network of the moving averages
        for weight, ema_weight in zip(self.network.weights, self.ema_network.weights):
            ema_weight.assign(ema * ema_weight + (1 - ema) * weight)

        return {"n_loss": self.noise_loss_tracker.result(), "i_loss": self.image_loss_tracker.result()}


class Example(ByHand):
    def model(self):
        self.diffusion = DiffusionModel(image_size, widths, block_depth)
        self.diffusion.normalizer.adapt(self.data()[0])
        self.diffusion.loss = keras.losses.MeanAbsoluteError()
        self.diffusion.optimizer = keras.optimizers.AdamW(learning_rate=1e-3, weight_decay=1e-4)
        self.diffusion.optimizer.build(self.diffusion.network.trainable_variables)
        return [self.diffusion.network, self.diffusion.ema_network]

    def data(self):
        return fractions(1, 24, image_size, image_size, 3), None

    def fit(self, models, x, y):
        losses = []
        for epoch in self.batches(x):
            self.diffusion.noise_loss_tracker.reset_state()
            self.diffusion.image_loss_tracker.reset_state()
            for images in epoch:
                logs = self.diffusion.train_step(images)
            losses.append(logs["n_loss"])
        return losses

    def show(self, models, x):
        initial_noise = fractions(7, 2, image_size, image_size, 3) * 2 - 1
        return np.array(self.diffusion(initial_noise))
