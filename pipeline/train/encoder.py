"""A transformer as an encoder of sentences: training it, keeping it in a folder, exporting it for the bot."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import cast

import numpy as np
import numpy.typing as npt
import onnx
import torch
from onnx import numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic
from tokenizers import Tokenizer
from torch.nn import functional
from transformers import PreTrainedModel

from bot.search.rank.reader import READER, READER_TOKENIZER, Reader
from pipeline.recipe import Pooling

Vectors = npt.NDArray[np.float32]

_BATCH = 512  # Texts that are encoded together when nothing is learned.
_TOGETHER = {"cpu": 32, "cuda": 512}
"""Texts of like length that are padded to the longest of them: less padding for a CPU, fewer calls for a GPU."""
_BODY, _QUANTISED = "body.", "_quantized"


class SentenceEncoder(torch.nn.Module):
    """A pretrained body and a tokenizer: `encode` gives one unit vector per text, through which gradients flow."""

    def __init__(self, body: PreTrainedModel, tokenizer: Tokenizer, pooling: Pooling, max_tokens: int) -> None:
        super().__init__()
        self.body, self.tokenizer, self.pooling, self.max_tokens = body, tokenizer, pooling, max_tokens
        self._padding = int(body.config.pad_token_id or 0)

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return self.body.device

    @property
    def table(self) -> torch.nn.Parameter:
        """The vectors of pieces, shape (pieces, dimensions)."""
        return cast(torch.nn.Parameter, self.body.get_input_embeddings().weight)

    def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Unit vectors, shape (texts, dimensions), of token numbers and their mask, both of shape (texts, tokens)."""
        hidden = self.body(input_ids=ids, attention_mask=mask).last_hidden_state.float()
        if self.pooling == "cls":
            return functional.normalize(hidden[:, 0], dim=1)
        kept = mask.unsqueeze(2).to(hidden.dtype)
        return functional.normalize((hidden * kept).sum(dim=1) / kept.sum(dim=1), dim=1)

    def encode(self, texts: Sequence[str]) -> torch.Tensor:
        """Unit vectors of texts, shape (len(texts), dimensions), in bfloat16 where the hardware multiplies in it."""
        half = self.device.type == "cuda" or torch.cpu._is_avx512_bf16_supported()
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        together = _TOGETHER[self.device.type]
        with torch.autocast(self.device.type, torch.bfloat16, enabled=half):
            parts = [order[start : start + together] for start in range(0, len(order), together)]
            vectors = torch.cat([self(*self._tokens([texts[place] for place in part])) for part in parts])
        return vectors.float()[torch.tensor(np.argsort(order), device=self.device)]

    def embed(self, texts: Sequence[str]) -> Vectors:
        """As `encode`, without gradients and for any number of texts."""
        with torch.inference_mode():
            return by_length(texts, int(self.body.config.hidden_size), lambda some: self.encode(some).cpu().numpy())

    def _tokens(self, texts: Sequence[str]) -> tuple[torch.Tensor, torch.Tensor]:
        encoded = [encoding.ids for encoding in self.tokenizer.encode_batch_fast(list(texts))]
        encoded = [ids if len(ids) <= self.max_tokens else [*ids[: self.max_tokens - 1], ids[-1]] for ids in encoded]
        longest = max(map(len, encoded))
        ids = torch.tensor([row + [self._padding] * (longest - len(row)) for row in encoded])
        mask = torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in encoded])
        return ids.to(self.device), mask.to(self.device)


def by_length(texts: Sequence[str], dimensions: int, encode: Callable[[list[str]], Vectors]) -> Vectors:
    """What `encode` makes of texts, shape (len(texts), dimensions), in batches of like length: little is padding."""
    order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
    vectors = np.empty((len(texts), dimensions), np.float32)
    for start in range(0, len(order), _BATCH):
        places = order[start : start + _BATCH]
        vectors[places] = encode([texts[place] for place in places])
    return vectors


def export(encoder: SentenceEncoder, folder: Path) -> Reader:
    """Write an encoder as ONNX with weights in eight bits, and its tokenizer; returns them as the bot loads them."""
    folder.mkdir(parents=True, exist_ok=True)
    exact, path = folder / "exact.onnx", folder / READER
    tokens = torch.ones(2, 8, dtype=torch.int64)
    axes = {0: "texts", 1: "tokens"}
    with warnings.catch_warnings():
        # The newer exporter's graph gave other vectors in eight bits: a mean cosine to the exact ones of 0.12.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            encoder.cpu().eval(),
            (tokens, tokens),
            str(exact),
            input_names=["ids", "mask"],
            output_names=["vectors"],
            dynamic_axes={"ids": axes, "mask": axes, "vectors": {0: "texts"}},
            dynamo=False,
        )
    # With one scale for a whole matrix the mean cosine to the exact vectors was 0.95; with one a column it is 0.99.
    quantize_dynamic(
        exact, path, per_channel=True, weight_type=QuantType.QInt8, op_types_to_quantize=["MatMul", "Gather"]
    )
    exact.unlink()
    encoder.tokenizer.save(str(folder / READER_TOKENIZER))
    return Reader.load(folder)


def exported_weights(reader: Reader) -> dict[str, torch.Tensor]:
    """The weights that `export` wrote, by the names that the body of their encoder has for them."""
    model = onnx.load(reader.model)
    arrays = {one.name: numpy_helper.to_array(one) for one in model.graph.initializer}

    def exact(name: str) -> torch.Tensor:
        levels = arrays[name].astype(np.float32) - arrays[name.replace(_QUANTISED, "_zero_point")].astype(np.float32)
        return torch.from_numpy(levels * arrays[name.replace(_QUANTISED, "_scale")])

    weights = {name: torch.tensor(array) for name, array in arrays.items() if array.dtype == np.float32}
    weights |= {name.removesuffix(_QUANTISED): exact(name) for name in arrays if name.endswith(_QUANTISED)}
    for node in model.graph.node:
        if node.op_type == "MatMulInteger":  # a matrix has lost its name, but the node tells where it belongs
            place = node.name.strip("/").removesuffix("/MatMul_quant").replace("/", ".")
            weights[f"{place}.weight"] = exact(node.input[1]).T.contiguous()
    return {name.removeprefix(_BODY): array for name, array in weights.items() if name.startswith(_BODY)}
