"""What all guides have: their data, how they are trained, and what is shown of them."""

import numpy as np

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


class ByHand(Guide):
    """A guide whose steps are written out, of several models: parts."""

    def batches(self, x):
        for _ in range(self.epochs):
            yield [x[i : i + self.batch] for i in range(0, len(x), self.batch)]
