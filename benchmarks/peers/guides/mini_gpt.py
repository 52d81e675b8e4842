"""Text generation with a miniature GPT"""

import keras
import numpy as np
from keras import layers, ops

from guides.guide import Guide, classes

vocab_size, maxlen = 50, 10
embed_dim, num_heads, feed_forward_dim = 16, 2, 32


def causal_attention_mask(batch_size, n_dest, n_src, dtype):
    i = ops.arange(n_dest)[:, None]
    j = ops.arange(n_src)
    m = i >= j - n_src + n_dest
    mask = ops.cast(m, dtype)
    mask = ops.reshape(mask, [1, n_dest, n_src])
    return ops.tile(mask, [batch_size, 1, 1])


class TransformerBlock(layers.Layer):
    def __init__(self, embed_dim, num_heads, ff_dim, rate=0.1):
        super().__init__()
        self.att = layers.MultiHeadAttention(num_heads, embed_dim)
        self.ffn = keras.Sequential([layers.Dense(ff_dim, activation="relu"), layers.Dense(embed_dim)])
        self.layernorm1 = layers.LayerNormalization(epsilon=1e-6)
        self.layernorm2 = layers.LayerNormalization(epsilon=1e-6)
        self.dropout1 = layers.Dropout(rate)
        self.dropout2 = layers.Dropout(rate)

    def call(self, inputs):
        batch_size, seq_len, _ = ops.shape(inputs)
        causal_mask = causal_attention_mask(batch_size, seq_len, seq_len, "bool")
        attention_output = self.att(inputs, inputs, attention_mask=causal_mask)
        attention_output = self.dropout1(attention_output)
        out1 = self.layernorm1(inputs + attention_output)
        ffn_output = self.ffn(out1)
        ffn_output = self.dropout2(ffn_output)
        return self.layernorm2(out1 + ffn_output)


class TokenAndPositionEmbedding(layers.Layer):
    def __init__(self, maxlen, vocab_size, embed_dim):
        super().__init__()
        self.token_emb = layers.Embedding(input_dim=vocab_size, output_dim=embed_dim)
        self.pos_emb = layers.Embedding(input_dim=maxlen, output_dim=embed_dim)

    def call(self, x):
        maxlen = ops.shape(x)[-1]
        positions = ops.arange(0, maxlen, 1)
        positions = self.pos_emb(positions)
        x = self.token_emb(x)
        return x + positions


class Example(Guide):
    def model(self):
        inputs = layers.Input(shape=(maxlen,), dtype="int32")
        embedding_layer = TokenAndPositionEmbedding(maxlen, vocab_size, embed_dim)
        x = embedding_layer(inputs)
        transformer_block = TransformerBlock(embed_dim, num_heads, feed_forward_dim)
        x = transformer_block(x)
        outputs = layers.Dense(vocab_size)(x)
        model = keras.Model(inputs=inputs, outputs=[outputs, x])
        loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        model.compile("adam", loss=[loss_fn, None])
        return model

    def data(self):
        texts = classes(1, vocab_size, 24, maxlen + 1)
        return texts[:, :-1], texts[:, 1:]

    def show(self, model, x):
        """Generates text, each token the most probable one, and returns the logits."""
        tokens, generated = [3, 1, 4], []
        while len(tokens) < maxlen:
            x = tokens + [0] * (maxlen - len(tokens))
            y, _ = model.predict(np.array([x]), verbose=0)
            generated.append(y[0][len(tokens) - 1])
            tokens.append(int(np.argmax(generated[-1])))
        return np.stack(generated)
