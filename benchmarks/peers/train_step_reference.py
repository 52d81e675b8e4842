"""Writes what Keras on JAX computes for training steps of one's own: the programs of the
guides "Customizing what happens in fit()" (a model that overrides train_step, a VAE, a
GAN with two optimizers), with small layers; and a model that overrides compute_loss.

    KERAS_BACKEND=jax python train_step_reference.py [-o FOLDER]

writes train_step.json, and the events that callbacks get. Random numbers are drawn by SeedGenerator(1337).
"""

import argparse
import os

os.environ["KERAS_BACKEND"] = "jax"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import keras
import numpy as np
from keras import layers, ops

from reference import ROOT, floats, versions, write_json
from training_reference import numbers

BATCH, EPOCHS = 6, 3


class CustomModel(keras.Model):
    """The guide's step, for JAX: mean squared error, and a custom metric."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.loss_tracker = keras.metrics.Mean(name="loss")
        self.mae_metric = keras.metrics.MeanAbsoluteError(name="mae")

    @property
    def metrics(self):
        return [self.loss_tracker, self.mae_metric]

    def loss_and_predictions(self, trainable, fixed, x, y):
        y_pred, fixed = self.stateless_call(trainable, fixed, x, training=True)
        return keras.losses.mean_squared_error(y, y_pred).mean(), (y_pred, fixed)

    def train_step(self, state, data):
        trainable, fixed, optimizer, metrics = state
        x, y = data
        (loss, (y_pred, fixed)), grads = jax.value_and_grad(self.loss_and_predictions, has_aux=True)(trainable, fixed, x, y)
        trainable, optimizer = self.optimizer.stateless_apply(optimizer, grads, trainable)
        loss_vars = self.loss_tracker.stateless_update_state(metrics[:2], loss)
        mae_vars = self.mae_metric.stateless_update_state(metrics[2:], y, y_pred)
        logs = {"loss": self.loss_tracker.stateless_result(loss_vars), "mae": self.mae_metric.stateless_result(mae_vars)}
        return logs, (trainable, fixed, optimizer, loss_vars + mae_vars)


def custom():
    x, y = numbers(1, 20, 4), numbers(2, 20, 1)
    inputs = keras.Input((4,))
    model = CustomModel(inputs, layers.Dense(1)(layers.Dense(5, activation="relu")(inputs)))
    start = [floats(w) for w in model.get_weights()]
    model.compile(optimizer="adam")
    history = model.fit(x, y, batch_size=BATCH, epochs=EPOCHS, shuffle=False, verbose=0)
    return {"x": floats(x), "y": floats(y), "start": [start], "logs": history.history, "end": [[floats(w) for w in model.get_weights()]]}


class Penalized(keras.Model):
    """Adds to the compiled loss, as the documentation of Model.compute_loss does."""

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
        return super().compute_loss(x, y, y_pred, sample_weight, training) + 0.1 * ops.mean(ops.abs(y_pred))


def compute_loss():
    x, y = numbers(7, 20, 4), numbers(8, 20, 1)
    inputs = keras.Input((4,))
    hidden = layers.Dense(5, activation="relu", kernel_regularizer=keras.regularizers.L2(0.01))(inputs)
    model = Penalized(inputs, layers.Dense(1)(hidden))
    start = [floats(w) for w in model.get_weights()]
    model.compile(optimizer="adam", loss="mse", metrics=["mae"])
    history = model.fit(x, y, batch_size=BATCH, epochs=EPOCHS, shuffle=False, verbose=0)
    return {"x": floats(x), "y": floats(y), "start": [start], "logs": history.history, "end": [[floats(w) for w in model.get_weights()]]}


def train(x, models, step):
    """Runs step on the batches of some epochs; it returns the logs of a batch, whose means
    over an epoch are those of the guide's trackers."""
    start = [[floats(w) for w in m.get_weights()] for m in models]
    logs = {}
    for _ in range(EPOCHS):
        batches = [step(x[i : i + BATCH]) for i in range(0, len(x), BATCH)]
        for name in batches[0]:
            logs.setdefault(name, []).append(float(np.mean([b[name] for b in batches], dtype=np.float32)))
    return {"x": floats(x), "start": start, "logs": logs, "end": [[floats(w) for w in m.get_weights()] for m in models]}


def minimize(optimizer, models, loss, *args):
    """Updates the weights of the models; loss gets their values."""
    variables = [v for m in models for v in m.trainable_variables]

    def of(values):
        parts = []
        for m in models:
            parts.append(values[: len(m.trainable_variables)])
            values = values[len(m.trainable_variables) :]
        return loss(*parts, *args)

    (value, aux), grads = jax.value_and_grad(of, has_aux=True)([v.value for v in variables])
    optimizer.apply(grads, variables)
    return value, aux


def vae():
    x = (np.abs(numbers(3, 20, 8)) % 1).astype(np.float32)
    inputs = keras.Input((8,))
    hidden = layers.Dense(6, activation="relu")(inputs)
    encoder = keras.Model(inputs, [layers.Dense(2)(hidden), layers.Dense(2)(hidden)])
    latent = keras.Input((2,))
    decoder = keras.Model(latent, layers.Dense(8, activation="sigmoid")(layers.Dense(6, activation="relu")(latent)))
    seed, adam = keras.random.SeedGenerator(1337), keras.optimizers.Adam()

    def loss(encoder_values, decoder_values, data, epsilon):
        (mean, log_var), _ = encoder.stateless_call(encoder_values, [], data)
        out, _ = decoder.stateless_call(decoder_values, [], mean + ops.exp(0.5 * log_var) * epsilon)
        reconstruction = ops.mean(ops.sum(keras.ops.binary_crossentropy(data, out), axis=1))
        kl = ops.mean(ops.sum(-0.5 * (1 + log_var - ops.square(mean) - ops.exp(log_var)), axis=1))
        return reconstruction + kl, (reconstruction, kl)

    def step(data):
        epsilon = keras.random.normal((len(data), 2), seed=seed)
        total, (reconstruction, kl) = minimize(adam, [encoder, decoder], loss, data, epsilon)
        return {"loss": total, "reconstruction_loss": reconstruction, "kl_loss": kl}

    return train(x, [encoder, decoder], step)


def gan():
    x = numbers(4, 20, 5)
    image, latent = keras.Input((5,)), keras.Input((3,))
    discriminator = keras.Model(image, layers.Dense(1)(layers.LeakyReLU(negative_slope=0.2)(layers.Dense(6)(image))))
    generator = keras.Model(latent, layers.Dense(5)(layers.Dense(6, activation="relu")(latent)))
    d_adam, g_adam = keras.optimizers.Adam(3e-3), keras.optimizers.Adam(2e-3)
    entropy = keras.losses.BinaryCrossentropy(from_logits=True)
    seed = keras.random.SeedGenerator(1337)

    def d_loss(values, combined, labels):
        return entropy(labels, discriminator.stateless_call(values, [], combined)[0]), None

    def g_loss(values, noise, labels):
        fake = generator.stateless_call(values, [], noise)[0]
        return entropy(labels, discriminator(fake)), None

    def step(real):
        n = len(real)
        combined = ops.concatenate([generator(keras.random.normal((n, 3), seed=seed)), real], axis=0)
        labels = ops.concatenate([ops.ones((n, 1)), ops.zeros((n, 1))], axis=0)
        labels += 0.05 * keras.random.uniform((2 * n, 1), seed=seed)
        d, _ = minimize(d_adam, [discriminator], d_loss, combined, labels)
        noise = keras.random.normal((n, 3), seed=seed)
        g, _ = minimize(g_adam, [generator], g_loss, noise, ops.zeros((n, 1)))
        return {"d_loss": d, "g_loss": g}

    return train(x, [discriminator, generator], step)


class Events(keras.callbacks.Callback):
    """Records the events of a training."""

    NAMES = ["train_begin", "train_end", "epoch_begin", "epoch_end"] + [
        f"{of}_{event}" for of in ["test", "predict"] for event in ["begin", "end"]
    ] + [f"{of}_batch_{event}" for of in ["train", "test", "predict"] for event in ["begin", "end"]]

    def __init__(self):
        super().__init__()
        self.seen = []
        for name in self.NAMES:
            setattr(self, "on_" + name, lambda *args, name=name, **_: self.seen.append([name] + [a for a in args if isinstance(a, int)]))


def events(steps_per_execution):
    x, y = numbers(5, 7, 2), numbers(6, 7, 1)
    model = keras.Sequential([keras.Input((2,)), layers.Dense(1)])
    model.compile(loss="mse", steps_per_execution=steps_per_execution)
    seen = Events()
    model.fit(x, y, batch_size=2, epochs=2, validation_data=(x[:4], y[:4]), callbacks=[seen], verbose=0)
    model.evaluate(x, y, batch_size=2, callbacks=[seen], verbose=0)
    model.predict(x, batch_size=2, callbacks=[seen], verbose=0)
    return [" ".join(map(str, e)) for e in seen.seen]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", default=os.path.join(ROOT, "keras/testdata/reference"))
    folder = parser.parse_args().o
    keras.utils.set_random_seed(1)
    cases = {"custom": custom(), "vae": vae(), "gan": gan(), "compute_loss": compute_loss()}
    write_json(os.path.join(folder, "train_step.json"), {"made_with": versions(), "cases": cases, "events": {n: events(n) for n in [1, 2]}})


if __name__ == "__main__":
    main()
