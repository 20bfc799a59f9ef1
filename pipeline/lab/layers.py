"""What each layer of an encoder knows, and what tuning it does to search: queries that ask for an idiom's meaning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.figure import Figure
from scipy import sparse
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer import losses
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA, TruncatedSVD
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.metrics import adjusted_mutual_info_score
from sklearn.preprocessing import normalize
from torch.nn import functional

from bot.search.artifacts import Artifacts
from bot.search.phrases import Phrase, script_language, texts_of
from bot.search.text import words
from pipeline.data.corpus import read_corpus
from pipeline.data.queries import tuning_queries
from pipeline.data.sources import DATA
from pipeline.evaluation.metrics import Flags, Values, retrieval
from pipeline.index.readings import ReaderOnDisk
from pipeline.lab import models, reranking, scratch
from pipeline.lab.report import Findings
from pipeline.lab.setting import Lab, Plan, Vectors
from pipeline.lab.splits import Several, Split, mrpc, stsb
from pipeline.lab.training import features, pair_loss, train

CLASSIFYING = Plan(steps=300, batch=32)
RANKING = Plan(steps=200, batch=48)
RANKED = "layers-ranking"
"""Name of the encoder that is tuned on rankings."""
_QUERIES = "queries/dev_queries.jsonl"
_COMPONENTS = (8, 16, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768)
_CLUSTERS = 30
_JUDGED = 32  # judged pairs in a step of the ranking
_ALIKE = 0.8  # what people gave, of 1, to sentences that say the same
_WINDOW, _WORD_SIZE, _LEAST = 5, 300, 5  # of word vectors: neighbours, dimensions, times that a word occurs
_HELD_OUT = 20  # every so many phrases is not trained on


@dataclass(frozen=True)
class Asked:
    """English queries, and the English meanings of Russian idioms that answer them."""

    phrases: list[Phrase]
    meanings: list[str]
    queries: list[str]
    right: Flags
    """Shape (queries, meanings)."""

    @classmethod
    def of(cls, lab: Lab) -> Asked:
        """The dev queries, over the idioms that they ask for."""
        root = lab.data.folders[0]
        phrases = [phrase for phrase in read_corpus([root / "idioms/ru.jsonl"]) if phrase.meaning_in("en")]
        asked = [row for row in tuning_queries(root / _QUERIES) if script_language(row[0]) == "en"]
        right = np.array([[phrase.key in keys for phrase in phrases] for _, keys, _ in asked])
        return cls(phrases, [phrase.meaning_in("en") for phrase in phrases], [text for text, *_ in asked], right)


def rankings(right: Flags, queries: Vectors, found: Vectors) -> dict[str, Values]:
    """Top 1, top 5 and MRR of each query, by the cosine of rows; `right` has the shape (queries, found)."""
    cosines = normalize(queries) @ normalize(found).T
    order = np.argsort(-cosines, axis=1, kind="stable")[:, :100]
    scored = retrieval(np.take_along_axis(right, order, axis=1).tolist())
    top_5 = np.take_along_axis(right, order[:, :5], axis=1).any(axis=1)
    return {"top 1": scored["P@1"], "top 5": top_5.astype(float), "MRR": scored["MRR"]}


def run(lab: Lab) -> Findings:
    """Search by every layer, by principal components, and by encoders that were tuned in three ways."""
    findings, asked = Findings(lab, "layers"), Asked.of(lab)
    split = len(asked.queries)
    texts = [*asked.queries, *asked.meanings]

    def add(system: str, of_seeds: Sequence[dict[str, Values]]) -> None:
        for figure in of_seeds[0]:
            findings.mean("search", system, figure, np.array([one[figure] for one in of_seeds]))

    vectors = word_vectors(lab, texts)
    add("word2vec", [rankings(asked.right, vectors[:split], vectors[split:])])
    unread = [lab.embed(model, texts) for model in scratch.unread(lab)]
    add("from nothing", [rankings(asked.right, one[:split], one[split:]) for one in unread])
    _clusters(findings, "from nothing", asked, unread[0][split:])
    layers = layer_means(lab, models.encoder(lab), texts)
    by_layer = [rankings(asked.right, one[:split], one[split:]) for one in layers]
    for number, (some, ranked) in enumerate(zip(layers, by_layer, strict=True)):
        add(f"layer {number}", [ranked])
        _clusters(findings, f"layer {number}", asked, some[split:])
    swept = _components(findings, "components", asked.right, layers[-1][:split], layers[-1][split:])
    if not lab.tiny:
        _served(lab, findings)
    untouched = by_layer[-1]
    for system, tune in _tunings(lab).items():
        tuned = []
        for seed in range(lab.seeds):
            vectors = lab.embed(tune(seed), texts)
            tuned.append(rankings(asked.right, vectors[:split], vectors[split:]))
        add(f"tuned on {system}", tuned)
        gained = np.mean([one["MRR"] for one in tuned], axis=0) - untouched["MRR"]
        findings.mean("gain", f"tuned on {system}, minus untouched", "MRR", gained)
    findings.picture(_picture(by_layer, swept))
    return findings


def layer_means(lab: Lab, model: SentenceTransformer, texts: Sequence[str]) -> list[Vectors]:
    """The mean over tokens after each layer, embeddings first; each of shape (len(texts), dimensions)."""
    parts = []
    with torch.inference_mode(), lab.autocast():
        for start in range(0, len(texts), 128):
            column = features(model, texts[start : start + 128])
            mask = column["attention_mask"].unsqueeze(2)
            states = model[0].model(**column, output_hidden_states=True).hidden_states  # type: ignore[operator]
            parts.append(torch.stack([((state * mask).sum(dim=1) / mask.sum(dim=1)).float() for state in states]).cpu())
    return [np.asarray(layer) for layer in torch.cat(parts, dim=1).numpy()]


def word_vectors(lab: Lab, texts: Sequence[str]) -> Vectors:
    """The mean of the vectors of a text's words, shape (len(texts), dimensions).

    Words are factors of their pointwise mutual information with their neighbours, which is what word2vec's skip-grams
    factorise (Levy and Goldberg 2014, "Neural word embedding as implicit matrix factorization"), learned from English
    definitions and examples.
    """
    read = [*(gloss for _, gloss in lab.data.glosses("oewn_glosses")), *lab.data.texts("oewn_examples")]
    read = read[: lab.rows(len(read))]
    counter = CountVectorizer(tokenizer=words, lowercase=False, token_pattern=None, min_df=1 if lab.tiny else _LEAST)
    frequent = counter.fit(read).vocabulary_
    tokens = [[frequent[word] for word in words(text) if word in frequent] for text in read]
    ends = np.cumsum([0, *map(len, tokens)])
    flat, text_of = (
        np.concatenate([np.array(row, np.int64) for row in tokens]),
        np.repeat(np.arange(len(tokens)), np.diff(ends)),
    )
    near = sparse.csr_matrix((len(frequent), len(frequent)), dtype=np.float64)
    for distance in range(1, _WINDOW + 1):
        together = text_of[distance:] == text_of[:-distance]
        pair = flat[:-distance][together], flat[distance:][together]
        near += sparse.coo_matrix((np.ones(together.sum()), pair), near.shape).tocsr()
    near = (near + near.T).tocoo()
    totals = np.asarray(near.sum(axis=1)).ravel()
    information = np.log(near.data * totals.sum() / (totals[near.row] * totals[near.col]))
    positive = sparse.csr_matrix((np.maximum(information, 0), (near.row, near.col)), near.shape)
    size = min(_WORD_SIZE, len(frequent) - 1)
    table = TruncatedSVD(size, random_state=0).fit(positive.T).components_.T
    counts = counter.transform(texts)
    return np.asarray(normalize(counts, norm="l1") @ table, np.float32)


def _components(
    findings: Findings, table: str, right: Flags, queries: Vectors, meanings: Vectors
) -> list[tuple[int, float, float]]:
    """For numbers of principal components: the variance that they explain, and top 1."""
    pca = PCA(random_state=0).fit(meanings)
    explained, projected = np.cumsum(pca.explained_variance_ratio_), [pca.transform(queries), pca.transform(meanings)]
    swept = []
    for size in [size for size in _COMPONENTS if size <= len(explained)]:
        ranked = rankings(right, *(side[:, :size] for side in projected))
        swept.append((size, float(explained[size - 1]), float(ranked["top 1"].mean())))
        for figure, values in ranked.items():
            findings.mean(table, f"{size} components", figure, values)
        findings.add(table, f"{size} components", "variance", float(explained[size - 1]))
    enough = int(np.searchsorted(explained, 0.95)) + 1
    findings.add(table, "components that keep 95 % of the variance", "number", str(enough))
    return swept


def _served(lab: Lab, findings: Findings) -> None:
    """How many components of what the bot's reader makes of idioms the bot would need."""
    artifacts = Artifacts.load(DATA.parent / "artifacts")
    if artifacts.reader is None or artifacts.readings is None:
        return
    reader, relations = ReaderOnDisk(artifacts.reader), artifacts.relations
    for name, queries in reranking.asked(lab, artifacts.phrases).items():
        rows = np.flatnonzero(relations.languages == queries[0][2])
        right = np.array([np.isin(relations.keys[rows], list(keys)) for _, keys, _ in queries])
        read = reader.embed([text for text, *_ in queries])
        table = f"components of the bot's readings, {name} queries"
        _components(findings, table, right, read, artifacts.readings.vectors_of(rows))


def _clusters(findings: Findings, system: str, asked: Asked, meanings: Vectors) -> None:
    """What k-means clusters have to do with the idioms' topics, and with the length of the meanings; 0 is chance."""
    rows = [row for row, phrase in enumerate(asked.phrases) if phrase.topics]
    count = min(_CLUSTERS, len(rows) // 2)
    clusters = KMeans(count, n_init=1, random_state=0).fit_predict(normalize(meanings[rows]))
    topics = [asked.phrases[row].topics[0] for row in rows]
    lengths = np.array([len(asked.meanings[row]) for row in rows])
    tenths = np.digitize(lengths, np.quantile(lengths, np.linspace(0.1, 0.9, 9)))
    for name, classes in (("topics", topics), ("length", tenths)):
        findings.add("clusters", system, f"agreement with {name}", float(adjusted_mutual_info_score(classes, clusters)))


# Tuning


def _tunings(lab: Lab) -> dict[str, Callable[[int], SentenceTransformer]]:
    judged, news = stsb(lab, "en"), mrpc(lab)
    train, dev = (
        [row._replace(label=float(row.label >= _ALIKE)) for row in part] for part in (judged.train, judged.dev)
    )
    return {
        "MRPC, as classes": partial(_classifying, lab, "layers-mrpc", news, 2, _softmax),
        "STS-B, as classes": partial(_classifying, lab, "layers-stsb", Split(train, dev, []), 1, _sigmoid),
        "scenes and STS-B, as rankings": partial(ranking, lab, judged),
    }


def _classifying(
    lab: Lab, name: str, split: Split, outputs: int, of_output: Callable[..., torch.Tensor], seed: int
) -> SentenceTransformer:
    """The encoder below a classifier of pairs."""
    model = models.encoder(lab, seed=seed)
    size = int(model.get_embedding_dimension() or 0)
    softmax = losses.SoftmaxLoss(model, size, outputs, loss_fct=of_output).to(lab.device)
    loss = pair_loss(lab, model, softmax)
    train(lab, softmax, loss, split.train, split.dev, CLASSIFYING, name, seed, softmax.classifier)
    return model


def _softmax(output: torch.Tensor, label: torch.Tensor) -> torch.Tensor:
    return functional.cross_entropy(output.float(), label.long())


def _sigmoid(output: torch.Tensor, label: torch.Tensor) -> torch.Tensor:
    return functional.binary_cross_entropy_with_logits(output.float().squeeze(1), label)


def ranking(lab: Lab, judged: Split, seed: int) -> SentenceTransformer:
    """The encoder tuned so that a scene finds its idiom's meaning, and judged pairs are in their order.

    Idioms that the queries ask for are left out.
    """
    phrases = read_corpus([lab.data.folders[0] / f"idioms/{code}.jsonl" for code in ("ru", "en")])
    asked = {key for _, keys, _ in tuning_queries(lab.data.folders[0] / _QUERIES) for key in keys}
    rows = _described([phrase for phrase in phrases if phrase.key not in asked])
    held_out, kept = rows[::_HELD_OUT], [row for number, row in enumerate(rows) if number % _HELD_OUT]
    model = models.encoder(lab, seed=seed)
    found, ordered = models.both_ways(model), pair_loss(lab, model, losses.CoSENTLoss(model))

    def loss(some: Sequence[Several]) -> torch.Tensor:
        pairs = judged.train if model.training else judged.dev
        columns = [features(model, texts) for texts in ([row.drawn() for row in some], [row.first for row in some])]
        of_scenes: torch.Tensor = found(columns, None)
        return of_scenes + ordered([pairs[row] for row in torch.randint(len(pairs), (_JUDGED,)).tolist()])

    train(lab, model, loss, kept, held_out, RANKING, RANKED, seed)
    what = "It finds what is meant by what people say: it learned from scenes and the meanings of idioms."
    models.save(lab, model, f"{RANKED}/seed-{seed}", what, ["sts_en_train", models.IDIOMS], lab.base)
    return model


def _described(phrases: Sequence[Phrase]) -> list[Several]:
    """The English meanings of phrases, and the scenes that ask for them."""
    scenes = [[text.text for text in texts_of(one) if text[:2] == ("scene", "en")] for one in phrases]
    meant = [(one.meaning_in("en"), some) for one, some in zip(phrases, scenes, strict=True)]
    return [Several(meaning, some[0], some) for meaning, some in meant if meaning and some]


def _picture(by_layer: Sequence[dict[str, Values]], swept: Sequence[tuple[int, float, float]]) -> Figure:
    figure, panes = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    for name in by_layer[0]:
        panes[0].plot([one[name].mean() for one in by_layer], "o-", label=name)
    panes[0].set(xlabel="layer", ylabel="share of the queries, or MRR")
    sizes, explained, top = zip(*swept, strict=True)
    panes[1].plot(sizes, explained, "o-", label="variance explained")
    panes[1].plot(sizes, top, "s-", label="top 1")
    panes[1].set(xlabel="principal components", xscale="log")
    for axes in panes:
        axes.legend()
        axes.grid(alpha=0.3)
    return figure
