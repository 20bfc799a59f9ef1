"""The forms of words and what they are forms of: Russian ones by pymorphy3, English ones by rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache
from itertools import chain

from bot.search.text import words
from pipeline.data.sources import DataFolder

Lemmas = Callable[[str], tuple[str, ...]]

_LIKELY = 0.1  # Least probability of a reading: "пекла" is of "печь" and of "пекло".
# The rules of detachment of WordNet's Morphy (Fellbaum 1998), for nouns, verbs and adjectives together.
_ENDINGS = """
    s: ses:s xes:x zes:z ches:ch shes:sh men:man ies:y ves:f ves:fe es:e es: ed:e ed: ied:y ing:e ing: er: est: er:e
    est:e
"""
_RULES = [tuple(rule.split(":")) for rule in _ENDINGS.split()]
_IRREGULAR = """
    ate:eat bit:bite bitten:bite blew:blow blown:blow bought:buy broke:break broken:break brought:bring built:build
    burnt:burn came:come caught:catch children:child chosen:choose cried:cry died:die dice:die drank:drink drawn:draw
    dreamt:dream driven:drive drove:drive dug:dig dying:die eaten:eat fallen:fall fed:feed feet:foot fell:fall
    felt:feel flew:fly flown:fly fought:fight found:find frozen:freeze gave:give geese:goose given:give gone:go got:get
    grew:grow grown:grow heard:hear held:hold hidden:hide hid:hide hung:hang hit:hit kept:keep knew:know known:know
    laid:lay led:lead left:leave lice:louse lies:lie lost:lose lying:lie made:make met:meet mice:mouse oxen:ox
    paid:pay people:person ran:run rang:ring ridden:ride rode:ride rose:rise rung:ring said:say sang:sing sank:sink
    sat:sit saw:see seen:see sent:send shook:shake shot:shoot slept:sleep slid:slide sold:sell sought:seek spent:spend
    spilt:spill spoke:speak spoken:speak spun:spin stolen:steal stole:steal stood:stand stuck:stick struck:strike
    stung:sting sung:sing sunk:sink swam:swim swept:sweep swung:swing taken:take taught:teach teeth:tooth thought:think
    threw:throw thrown:throw told:tell took:take tore:tear torn:tear tied:tie tying:tie went:go wept:weep woke:wake
    wolves:wolf women:woman won:win wore:wear worn:wear written:write wrote:write
"""
_ONE_SYLLABLE = re.compile("[^aeiou]+[aeiou][bdgklmnprtz]")  # Doubles its last letter: "stopped".
_EXCEPTIONS = dict(pair.split(":") for pair in _IRREGULAR.split())


def lemmas(data: DataFolder) -> dict[str, Lemmas]:
    """For each language, what gives the dictionary forms that a folded word may be of, likeliest first."""
    known = _wordnet(data)
    return {"ru": _russian(), "en": cache(lambda word: _english(word, known))}


def _russian() -> Lemmas:
    from pymorphy3 import MorphAnalyzer  # takes a third of a second to load

    analyser = MorphAnalyzer(lang="ru")

    @cache
    def of(word: str) -> tuple[str, ...]:
        first, *others = analyser.parse(word)
        likely = [first, *(parse for parse in others if parse.score >= _LIKELY)]
        return tuple(dict.fromkeys(parse.normal_form.replace("ё", "е") for parse in likely))

    return of


def _english(word: str, known: Collection[str]) -> tuple[str, ...]:
    detached = (word.removesuffix(old) + new for old, new in _RULES if word.endswith(old))
    shorter = [other for other in detached if len(other) > 1 and other in known]
    undoubled = [other[:-1] for other in (word[:-2], word[:-3]) if other[-2:-1] == other[-1:] and other[:-1] in known]
    first = _EXCEPTIONS.get(word)
    return tuple(dict.fromkeys([*([first] if first else []), word, *shorter, *undoubled]))


def forms(known: Iterable[str], data: DataFolder) -> set[str]:
    """The forms of some folded words, Russian full participles left out: they are half of all forms, and rare."""
    english = {word for word in _wordnet(data).intersection(known) if word.isascii() and word.isalpha()}
    return {*chain.from_iterable(map(_english_forms, english)), *_russian_forms(known)}


def _wordnet(data: DataFolder) -> set[str]:
    return {word for members, _ in data.glosses("oewn_glosses") for word in words(members)}


def _russian_forms(known: Iterable[str]) -> set[str]:
    from pymorphy3 import MorphAnalyzer

    analyser, found = MorphAnalyzer(lang="ru"), set[str]()
    for word in known:
        if word not in found and not word.isascii() and analyser.word_is_known(word):
            lexemes = (parse.lexeme for parse in analyser.parse(word) if parse.is_known)
            forms = (form for lexeme in lexemes for form in lexeme if "PRTF" not in form.tag)
            found.update(form.word.replace("ё", "е") for form in forms)
    return found


def _english_forms(word: str) -> Iterator[str]:
    """The regular forms of nouns and verbs."""
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return (word[:-1] + ending for ending in ("ies", "ied", "ying"))
    if word.endswith("e"):
        return iter((f"{word}s", f"{word}d", f"{word.removesuffix('e')}ing"))
    plural = f"{word}es" if word.endswith(("s", "x", "z", "ch", "sh")) else f"{word}s"
    stem = word + word[-1] if _ONE_SYLLABLE.fullmatch(word) else word
    return iter((plural, f"{stem}ed", f"{stem}ing"))
