"""Writes what the guides and examples of keras.io give, for the tests of examples/guides.

Each model is that of the guide, smaller, on small made-up data: what counts is that the numbers
are equal. Beside the losses and predictions stand the weights that the model began with.

    KERAS_BACKEND=jax python guides_reference.py [-o DIR] [GUIDE…]
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

OUTPUT = os.path.join(ROOT, "examples/guides")
SHOWN = 6


def fractions(seed, *shape):
    n = np.arange(np.prod(shape))
    return ((n * 7919 + seed * 104729) % 1009 / 1009).astype("float32").reshape(shape)


def classes(seed, count, *shape):
    n = np.arange(np.prod(shape))
    return ((n * 7919 + seed * 104729) % 1009 % count).astype("int32").reshape(shape)


class Guide:
    """A model, its data, and how it is trained."""

    batch, epochs = 12, 2

    def fit(self, model, x, y):
        return model.fit(x, y, batch_size=self.batch, epochs=self.epochs, shuffle=False, verbose=0).history["loss"]

    def show(self, model, x):
        return model.predict([t[:SHOWN] for t in x] if isinstance(x, list) else x[:SHOWN], verbose=0)


class FunctionalAPI(Guide):
    def model(self):
        title = keras.Input((6,), name="title", dtype="int32")
        text = keras.Input((10,), name="text", dtype="int32")
        tagged = keras.Input((12,), name="tags")
        words = layers.Embedding(100, 16, name="words")
        x = layers.concatenate([layers.LSTM(16, name="title_lstm")(words(title)), layers.LSTM(8, name="text_lstm")(words(text)), tagged])
        model = keras.Model([title, text, tagged], [layers.Dense(1, name="priority")(x), layers.Dense(4, name="department")(x)])
        model.compile(
            "rmsprop",
            loss={"priority": keras.losses.BinaryCrossentropy(from_logits=True), "department": keras.losses.SparseCategoricalCrossentropy(from_logits=True)},
            loss_weights={"priority": 1.0, "department": 0.2},
        )
        return model

    def data(self):
        x = [classes(1, 100, 48, 6), classes(2, 100, 48, 10), fractions(3, 48, 12)]
        return x, [classes(4, 2, 48, 1), classes(5, 4, 48)]


class Linear(layers.Layer):
    def __init__(self, units, **options):
        super().__init__(**options)
        self.units = units

    def build(self, shape):
        self.w = self.add_weight(shape=(shape[-1], self.units), initializer="random_normal", name="w")
        self.b = self.add_weight(shape=(self.units,), initializer="zeros", name="b")

    def call(self, x):
        return ops.matmul(x, self.w) + self.b


class ActivityRegularization(layers.Layer):
    def __init__(self, rate):
        super().__init__()
        self.rate = rate

    def call(self, x):
        self.add_loss(self.rate * ops.sum(x))
        return x


class MLPBlock(keras.Model):
    def __init__(self):
        super().__init__()
        self.first, self.second, self.third = Linear(32, name="first"), Linear(32, name="second"), Linear(3, name="third")
        self.activity = ActivityRegularization(1e-2)

    def call(self, x):
        x = self.activity(ops.relu(self.first(x)))
        return self.third(ops.relu(self.second(x)))


class LayersBySubclassing(Guide):
    epochs = 3

    def model(self):
        model = MLPBlock()
        model(fractions(1, 1, 8))  # makes the variables
        model.compile("adam", loss="mse")
        return model

    def data(self):
        return fractions(1, 48, 8), fractions(2, 48, 3)


class TimeseriesLSTM(Guide):
    batch = 24
    length, past, future, every = 140, 20, 6, 2

    def model(self):
        x = keras.Input((self.past // self.every, 7))
        model = keras.Model(x, layers.Dense(1, name="later")(layers.LSTM(32, name="lstm")(x)))
        model.compile(keras.optimizers.Adam(0.001), loss="mse")
        return model

    def data(self):
        """The windows that timeseries_dataset_from_array makes, which needs TensorFlow."""
        series = fractions(1, self.length, 7)
        targets = series[self.past + self.future :, 1:2]
        count = min(len(series) - (self.past // self.every - 1) * self.every, len(targets))
        x = np.stack([series[i : i + self.past : self.every] for i in range(count)])
        return x, targets[:count]

    def show(self, model, x):
        return model.predict(x[: self.batch], verbose=0)


class TextTransformer(Guide):
    class Block(layers.Layer):
        def __init__(self, **options):
            super().__init__(**options)
            self.att = layers.MultiHeadAttention(2, 16, name="att")
            self.up, self.down = layers.Dense(32, activation="relu", name="up"), layers.Dense(16, name="down")
            self.norm, self.last = layers.LayerNormalization(epsilon=1e-6, name="norm"), layers.LayerNormalization(epsilon=1e-6, name="last")

        def call(self, x):
            x = self.norm(x + self.att(x, x))
            return self.last(x + self.down(self.up(x)))

    class Embedding(layers.Layer):
        def __init__(self, **options):
            super().__init__(**options)
            self.token, self.place = layers.Embedding(200, 16, name="token"), layers.Embedding(10, 16, name="place")

        def call(self, x):
            return self.token(x) + self.place(ops.arange(10))

    def model(self):
        # the layers' groups in the file have the names of the classes
        block = type("TransformerBlock", (self.Block,), {})
        embedding = type("TokenAndPositionEmbedding", (self.Embedding,), {})
        x = keras.Input((10,), dtype="int32")
        y = layers.GlobalAveragePooling1D()(block(name="block")(embedding(name="embedding")(x)))
        model = keras.Model(x, layers.Dense(2, activation="softmax", name="good")(layers.Dense(20, activation="relu", name="hidden")(y)))
        model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
        return model

    def data(self):
        return classes(1, 200, 48, 10), classes(2, 2, 48)


class BidirectionalLSTM(Guide):
    def model(self):
        x = keras.Input((None,), dtype="int32")
        y = layers.Embedding(200, 16, name="words")(x)
        y = layers.Bidirectional(layers.LSTM(8, return_sequences=True), name="first")(y)
        y = layers.Bidirectional(layers.LSTM(8), name="second")(y)
        model = keras.Model(x, layers.Dense(1, activation="sigmoid", name="good")(y))
        model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
        return model

    def data(self):
        texts = [classes(i, 200, 5 + i % 14) for i in range(48)]
        return keras.utils.pad_sequences(texts, 12), classes(99, 2, 48)


class Siamese(Guide):
    class Distance(layers.Layer):
        def call(self, left, right):
            return ops.sqrt(ops.maximum(ops.sum((left - right) ** 2, axis=1, keepdims=True), 1e-7))

    @staticmethod
    def contrastive(y_true, y_pred):
        return ops.mean((1 - y_true) * y_pred**2 + y_true * ops.maximum(1 - y_pred, 0) ** 2, axis=-1)

    def model(self):
        image = keras.Input((14, 14, 1))
        x = layers.AveragePooling2D(2)(layers.Conv2D(4, 5, activation="tanh", name="c1")(image))
        x = layers.Flatten()(layers.Conv2D(16, 3, activation="tanh", name="c2")(x))
        tower = keras.Model(image, layers.Dense(10, activation="tanh", name="vector")(x))
        left, right = keras.Input((14, 14, 1), name="left"), keras.Input((14, 14, 1), name="right")
        model = keras.Model([left, right], layers.Dense(1, activation="sigmoid", name="differ")(self.Distance()(tower(left), tower(right))))
        model.compile("rmsprop", self.contrastive)
        return model

    def data(self):
        return [fractions(1, 24, 14, 14, 1), fractions(2, 24, 14, 14, 1)], classes(3, 2, 24, 1).astype("float32")


class Autoencoder(Guide):
    def model(self):
        x = image = keras.Input((12, 12, 1))
        for name in "down1", "down2":
            x = layers.MaxPooling2D(2, padding="same")(layers.Conv2D(8, 3, activation="relu", padding="same", name=name)(x))
        for name in "up1", "up2":
            x = layers.Conv2DTranspose(8, 3, strides=2, activation="relu", padding="same", name=name)(x)
        model = keras.Model(image, layers.Conv2D(1, 3, activation="sigmoid", padding="same", name="image")(x))
        model.compile("adam", "binary_crossentropy")
        return model

    def data(self):
        clean, noise = fractions(1, 24, 12, 12, 1), fractions(2, 24, 12, 12, 1)
        return np.minimum(clean + np.float32(0.4) * noise, 1), clean


class UNet(Guide):
    batch = 6

    def model(self):
        def norm(x):
            return layers.BatchNormalization()(x)

        def relu(x):
            return layers.Activation("relu")(x)

        image = keras.Input((16, 16, 3))
        x = relu(norm(layers.Conv2D(8, 3, strides=2, padding="same", name="entry")(image)))
        previous = x
        for n in [16]:
            x = norm(layers.SeparableConv2D(n, 3, padding="same", name=f"down{n}a")(relu(x)))
            x = norm(layers.SeparableConv2D(n, 3, padding="same", name=f"down{n}b")(relu(x)))
            x = layers.MaxPooling2D(3, strides=2, padding="same")(x)
            x = previous = layers.add([x, layers.Conv2D(n, 1, strides=2, padding="same", name=f"down{n}residual")(previous)])
        for n in [16, 8]:
            x = norm(layers.Conv2DTranspose(n, 3, padding="same", name=f"up{n}a")(relu(x)))
            x = norm(layers.Conv2DTranspose(n, 3, padding="same", name=f"up{n}b")(relu(x)))
            x = layers.UpSampling2D(2)(x)
            residual = layers.Conv2D(n, 1, padding="same", name=f"up{n}residual")(layers.UpSampling2D(2)(previous))
            x = previous = layers.add([x, residual])
        model = keras.Model(image, layers.Conv2D(3, 3, activation="softmax", padding="same", name="classes")(x))
        model.compile(keras.optimizers.Adam(1e-4), "sparse_categorical_crossentropy")
        return model

    def data(self):
        return fractions(1, 12, 16, 16, 3), classes(2, 3, 12, 16, 16, 1)

    def show(self, model, x):
        return model.predict(x[:2], verbose=0)


class TransferLearning(Guide):
    def model(self):
        x = image = keras.Input((12, 12, 3))
        x = layers.BatchNormalization(name="n1")(layers.Conv2D(8, 3, strides=2, activation="relu", name="c1")(x))
        x = layers.BatchNormalization(name="n2")(layers.Conv2D(16, 3, activation="relu", name="c2")(x))
        base = keras.Model(image, x, name="base")
        base.trainable = False
        image = keras.Input((12, 12, 3))
        x = layers.GlobalAveragePooling2D()(base(layers.Rescaling(2, offset=-1)(image), training=False))
        model = keras.Model(image, layers.Dense(1, name="cat_or_dog")(layers.Dropout(0)(x)))
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


class StructuredData(Guide):
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


class TextClassification(Guide):
    """Needs TensorFlow, which has Keras' lookups: the environment of lookup_reference.py, with jax."""

    epochs = 3
    words = "the a film plot actor song was is and but good bad great dull long short funny sad I liked hated never again twice story end music".split()

    def texts(self):
        choices = classes(3, len(self.words), 48, 12)
        texts = [[self.words[c] for c in row[: 5 + i % 8]] for i, row in enumerate(choices)]
        return [" ".join([t[0].upper(), *t[1:]]) + "!" for t in texts]

    def model(self):
        self.vectorize = layers.TextVectorization(max_tokens=24, output_sequence_length=12)
        self.vectorize.adapt(self.texts())
        x = keras.Input((None,), dtype="int64")
        y = layers.Dropout(0)(layers.Embedding(24, 8, name="embedding")(x))
        for name in ["conv1", "conv2"]:
            y = layers.Conv1D(16, 3, padding="valid", activation="relu", strides=2, name=name)(y)
        y = layers.Dense(16, activation="relu", name="hidden")(layers.GlobalMaxPooling1D()(y))
        model = keras.Model(x, layers.Dense(1, activation="sigmoid", name="predictions")(layers.Dropout(0)(y)))
        model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
        return model

    def data(self):
        return np.asarray(self.vectorize(np.array(self.texts()))), classes(5, 2, 48)


class FeatureSpace(Guide):
    """Needs TensorFlow, as TextClassification."""

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


class CustomTrainStep(Guide):
    epochs = 3

    class Model(keras.Model):
        def __init__(self, *args, **options):
            super().__init__(*args, **options)
            self.loss_tracker, self.mae = keras.metrics.Mean(name="loss"), keras.metrics.MeanAbsoluteError(name="mae")
            self.mse = keras.losses.MeanSquaredError()

        def values_and_updates(self, trainable, rest, x, y):
            predictions, rest = self.stateless_call(trainable, rest, x, training=True)
            return self.mse(y, predictions), (predictions, rest)

        def train_step(self, state, data):
            trainable, rest, slots, totals = state
            x, y = data
            (loss, (predictions, rest)), gradients = jax.value_and_grad(self.values_and_updates, has_aux=True)(trainable, rest, x, y)
            trainable, slots = self.optimizer.stateless_apply(slots, gradients, trainable)
            n = len(self.loss_tracker.variables)
            tracker = self.loss_tracker.stateless_update_state(totals[:n], loss)
            mae = self.mae.stateless_update_state(totals[n:], y, predictions)
            logs = {"loss": self.loss_tracker.stateless_result(tracker), "mae": self.mae.stateless_result(mae)}
            return logs, (trainable, rest, slots, [*tracker, *mae])

        @property
        def metrics(self):
            return [self.loss_tracker, self.mae]

    def model(self):
        x = keras.Input((32,))
        model = self.Model(x, layers.Dense(1, name="one")(layers.Dense(32, activation="relu", name="hidden")(x)))
        model.compile("adam")
        return model

    def data(self):
        return fractions(1, 48, 32), fractions(2, 48, 1)


class ByHand(Guide):
    """A guide with a custom training step, which trains several models: parts."""

    def batches(self, x):
        for _ in range(self.epochs):
            yield [x[i : i + self.batch] for i in range(0, len(x), self.batch)]


class VAE(ByHand):
    def model(self):
        image, point = keras.Input((8, 8, 1)), keras.Input((2,))
        down = {"strides": 2, "activation": "relu", "padding": "same"}
        x = layers.Conv2D(16, 3, **down)(layers.Conv2D(8, 3, **down)(image))
        x = layers.Dense(16, activation="relu", name="hidden")(layers.Flatten()(x))
        self.encoder = keras.Model(image, [layers.Dense(2, name="mean")(x), layers.Dense(2, name="log_var")(x)])
        x = layers.Reshape((2, 2, 16))(layers.Dense(64, activation="relu", name="spread")(point))
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


class GAN(ByHand):
    def model(self):
        image, point = keras.Input((8, 8, 1)), keras.Input((6,))
        x = image
        for n in 8, 16:
            x = layers.LeakyReLU(negative_slope=0.2)(layers.Conv2D(n, 3, strides=2, padding="same")(x))
        discriminator = keras.Model(image, layers.Dense(1)(layers.GlobalMaxPooling2D()(x)))
        x = layers.Reshape((2, 2, 16))(layers.LeakyReLU(negative_slope=0.2)(layers.Dense(64, name="spread")(point)))
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


class WGANGP(ByHand):
    """Two steps of the critic, with a penalty on its gradient, for one of the generator."""

    def model(self):
        x = image = keras.Input((8, 8, 1))
        for n in 8, 16:
            x = layers.LeakyReLU(negative_slope=0.2)(layers.Conv2D(n, 5, strides=2, padding="same")(x))
        critic = keras.Model(image, layers.Dense(1)(layers.Flatten()(x)))
        point = keras.Input((6,))
        x = layers.BatchNormalization()(layers.Dense(64, use_bias=False, name="spread")(point))
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


class GradCAM(Guide):
    def model(self):
        image = keras.Input((12, 12, 3))
        x = layers.MaxPooling2D()(layers.Conv2D(8, 3, activation="relu", name="c1")(image))
        x = layers.Conv2D(12, 3, activation="relu", name="last")(x)
        model = keras.Model(image, layers.Dense(5, name="animals")(layers.GlobalAveragePooling2D()(x)))
        model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
        return model

    def data(self):
        return fractions(1, 24, 12, 12, 3), classes(2, 5, 24)

    def show(self, model, x):
        last = model.get_layer("last").output
        features, head = keras.Model(model.inputs, last), keras.Model(last, model.output)
        maps = []
        for i in range(2):
            a = features(x[i : i + 1])
            best = int(ops.argmax(head(a)[0]))
            pooled = ops.mean(jax.grad(lambda a, best=best: head(a)[0, best])(a), axis=(0, 1, 2))
            heat = ops.maximum(ops.squeeze(ops.matmul(a[0], pooled[..., None])), 0)
            maps.append(np.array(heat / ops.max(heat)))
        return np.stack(maps)


class Seq2SeqLSTM(Guide):
    def model(self):
        source, target = keras.Input((None, 12), name="source"), keras.Input((None, 9), name="target")
        _, *states = layers.LSTM(16, return_state=True, name="encoder")(source)
        sequence, _, _ = layers.LSTM(16, return_sequences=True, return_state=True, name="decoder")(target, initial_state=states)
        model = keras.Model([source, target], layers.Dense(9, activation="softmax", name="characters")(sequence))
        model.compile("rmsprop", "categorical_crossentropy", metrics=["accuracy"])
        return model

    def data(self):
        return [fractions(1, 24, 7, 12), fractions(2, 24, 5, 9)], keras.utils.to_categorical(classes(3, 9, 24, 5), 9)

    def show(self, model, x):
        """The decoder's output for the first sequence, letter by letter."""
        _, *states = model.get_layer("encoder").output
        encoder = keras.Model(model.inputs[0], states)
        target, given = keras.Input((None, 9)), [keras.Input((16,)), keras.Input((16,))]
        sequence, *after = model.get_layer("decoder")(target, initial_state=given)
        decoder = keras.Model([target, *given], [model.get_layer("characters")(sequence), *after])
        states, letter, out = encoder.predict(x[0][:1], verbose=0), 0, []
        for _ in range(4):
            characters, *states = decoder.predict([np.eye(9, dtype="float32")[letter][None, None], *states], verbose=0)
            out.append(characters[0, 0])
            letter = int(np.argmax(out[-1]))
        return np.stack(out)


class GraphAttentionNetwork(Guide):
    batch, papers, citations = 6, 20, 60

    class Layer(layers.Layer):
        def __init__(self, units, **options):
            super().__init__(**options)
            self.units = units

        def build(self, shapes):
            self.kernel = self.add_weight(shape=(shapes[0][-1], self.units), initializer="glorot_uniform", name="kernel")
            self.score = self.add_weight(shape=(2 * self.units, 1), initializer="glorot_uniform", name="score")

        def call(self, inputs):
            nodes, edges = inputs
            nodes = ops.matmul(nodes, self.kernel)
            pairs = ops.reshape(ops.take(nodes, edges, axis=0), (len(edges), -1))
            scores = ops.exp(ops.clip(ops.leaky_relu(ops.matmul(pairs, self.score))[:, 0], -2, 2))
            total = ops.segment_sum(scores, edges[:, 0], num_segments=nodes.shape[0])
            scores = scores / ops.take(total, edges[:, 0])
            return ops.segment_sum(ops.take(nodes, edges[:, 1], axis=0) * scores[:, None], edges[:, 0], num_segments=nodes.shape[0])

    class Network(keras.Model):
        def __init__(self, features, edges):
            super().__init__()
            self.features, self.edges = features, edges
            self.preprocess, self.subjects = layers.Dense(16, activation="relu"), layers.Dense(4)
            self.attention = type("GraphAttention", (GraphAttentionNetwork.Layer,), {})(16)

        def call(self, papers):
            x = self.preprocess(ops.convert_to_tensor(self.features))
            x = self.attention([x, ops.convert_to_tensor(self.edges)]) + x
            return ops.take(self.subjects(x), papers[:, 0], axis=0)

    def model(self):
        edges = np.stack([classes(2, self.papers, self.citations), classes(3, self.papers, self.citations)], 1)
        model = self.Network(fractions(1, self.papers, 6), edges)
        model(np.zeros((2, 1), "int32"))
        model.compile(keras.optimizers.SGD(0.3, momentum=0.9), keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
        return model

    def data(self):
        return np.arange(18, dtype="int32")[:, None], classes(4, 4, 18)


GUIDES = {
    "custom_train_step": CustomTrainStep, "vae": VAE, "gan": GAN,
    "autoencoder": Autoencoder, "unet": UNet, "transfer_learning": TransferLearning, "structured_data": StructuredData, "text_classification": TextClassification, "feature_space": FeatureSpace,
    "wgan_gp": WGANGP, "grad_cam": GradCAM, "seq2seq_lstm": Seq2SeqLSTM, "graph_attention": GraphAttentionNetwork,
    "functional_api": FunctionalAPI, "layers_by_subclassing": LayersBySubclassing, "timeseries_lstm": TimeseriesLSTM,
    "text_transformer": TextTransformer, "bidirectional_lstm": BidirectionalLSTM, "siamese": Siamese,
}  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", default=OUTPUT)
    parser.add_argument("guides", nargs="*", help="all by default")
    args = parser.parse_args()
    for name in args.guides or GUIDES:
        keras.utils.clear_session()
        keras.utils.set_random_seed(7)
        guide = GUIDES[name]()
        folder = os.path.join(args.o, name, "testdata")
        os.makedirs(folder, exist_ok=True)
        model = guide.model()
        for i, part in enumerate(model if isinstance(model, list) else [model]):
            part.save_weights(os.path.join(folder, f"start{i or ''}.weights.h5"))
        x, y = guide.data()
        losses = [float(v) for v in guide.fit(model, x, y)]
        shown = guide.show(model, x)
        shown = shown if isinstance(shown, list) else [shown]
        write_json(os.path.join(folder, "keras.json"), {
            "made_with": versions(), "loss": losses, "predictions": [floats(p.reshape(-1)) for p in shown],
        })  # fmt: skip


if __name__ == "__main__":
    main()
