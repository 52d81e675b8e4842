"""OCR model for reading Captchas"""

import keras
import numpy as np
from keras import layers, ops

from guides.guide import Guide, classes, fractions

img_width, img_height, max_length, num_characters = 32, 12, 3, 7


def ctc_batch_cost(y_true, y_pred, input_length, label_length):
    y_pred = ops.log(y_pred + keras.config.epsilon())
    return ops.ctc_loss(y_true, y_pred, label_length, input_length, mask_index=num_characters)


class CTCLayer(layers.Layer):
    def call(self, y_true, y_pred):
        # adds the loss; when the model predicts, only y_pred counts
        batch_len = ops.shape(y_true)[0]
        input_length = ops.shape(y_pred)[1] * ops.ones(shape=(batch_len,), dtype="int32")
        label_length = ops.shape(y_true)[1] * ops.ones(shape=(batch_len,), dtype="int32")
        loss = ctc_batch_cost(y_true, y_pred, input_length, label_length)
        self.add_loss(ops.mean(loss))
        return y_pred


class Example(Guide):
    def model(self):
        input_img = layers.Input(shape=(img_width, img_height, 1), name="image", dtype="float32")
        labels = layers.Input(name="label", shape=(None,), dtype="int32")
        x = layers.Conv2D(
            4,
            (3, 3),
            activation="relu",
            kernel_initializer="he_normal",
            padding="same",
            name="Conv1",
        )(input_img)
        x = layers.MaxPooling2D((2, 2), name="pool1")(x)
        x = layers.Conv2D(
            8,
            (3, 3),
            activation="relu",
            kernel_initializer="he_normal",
            padding="same",
            name="Conv2",
        )(x)
        x = layers.MaxPooling2D((2, 2), name="pool2")(x)
        new_shape = (img_width // 4, (img_height // 4) * 8)
        x = layers.Reshape(target_shape=new_shape, name="reshape")(x)
        x = layers.Dense(16, activation="relu", name="dense1")(x)
        x = layers.Dropout(0.2)(x)
        x = layers.Bidirectional(layers.LSTM(8, return_sequences=True, dropout=0.25))(x)
        x = layers.Bidirectional(layers.LSTM(8, return_sequences=True, dropout=0.25))(x)
        x = layers.Dense(num_characters + 1, activation="softmax", name="dense2")(x)
        output = CTCLayer(name="ctc_loss")(labels, x)
        model = keras.Model(inputs=[input_img, labels], outputs=output, name="ocr_model_v1")
        model.compile(optimizer=keras.optimizers.Adam())
        return model

    def data(self):
        return [fractions(1, 24, img_width, img_height, 1), classes(2, num_characters, 24, max_length)], None

    def show(self, model, x):
        prediction_model = keras.Model(model.input[0], model.get_layer(name="dense2").output)
        pred = prediction_model.predict(x[0][:6], verbose=0)
        input_len = np.ones(pred.shape[0], "int32") * pred.shape[1]
        results, _ = ops.ctc_decode(pred, input_len, strategy="greedy", mask_index=num_characters)
        return [pred, np.array(results[0], "float32")]
