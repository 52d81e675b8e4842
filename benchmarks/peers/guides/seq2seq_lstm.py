"""Character-level recurrent sequence-to-sequence model"""

import keras
import numpy as np
from keras import layers

from guides.guide import Guide, classes, fractions


class Example(Guide):
    def model(self):
        source, target = keras.Input((None, 12), name="source"), keras.Input((None, 9), name="target")
        _, *states = layers.LSTM(16, return_state=True, name="encoder")(source)
        sequence, _, _ = layers.LSTM(16, return_sequences=True, return_state=True, name="decoder")(target, initial_state=states)
        model = keras.Model([source, target], layers.Dense(9, activation="softmax", name="characters")(sequence))
        model.compile("rmsprop", "categorical_crossentropy", metrics=["accuracy"])
        return model

    def data(self):
        return [fractions(1, 24, 7, 12), fractions(2, 24, 5, 9)], keras.utils.to_categorical(classes(3, 9, 24, 5), 9)

    def inference(self, model):
        """The encoder, and the decoder with its states as inputs and outputs."""
        _, *states = model.get_layer("encoder").output
        encoder = keras.Model(model.inputs[0], states)
        target, given = keras.Input((None, 9)), [keras.Input((16,)), keras.Input((16,))]
        sequence, *after = model.get_layer("decoder")(target, initial_state=given)
        return encoder, keras.Model([target, *given], [model.get_layer("characters")(sequence), *after])

    def show(self, model, x):
        """What the decoder says, letter by letter, of the first sequence."""
        encoder, decoder = self.inference(model)
        states, letter, out = encoder.predict(x[0][:1], verbose=0), 0, []
        for _ in range(4):
            characters, *states = decoder.predict([np.eye(9, dtype="float32")[letter][None, None], *states], verbose=0)
            out.append(characters[0, 0])
            letter = int(np.argmax(out[-1]))
        return np.stack(out)
