### Texts of the bot. The program fills in { $... }; <b>, <i> and other tags are Telegram's mark-up.

## First meeting

start =
    Hello! I find idioms by meaning: say in your own words what you mean, and I will find idioms and proverbs for it.

    For example:
    • <code>to do nothing all day</code>
    • <code>to be afraid of everything</code>
    • <code>очень обрадоваться</code>

    I understand both English and Russian.
help =
    <b>How to search</b>
    Write the thought in plain words: <code>to fool a trusting person</code>. Or the beginning of an idiom whose end you forgot: <code>once in a blue</code>.

    A numbered button opens an idiom: its meaning, an example, its origin and similar ones. “← Back” undoes one step, as often as you like.

    <b>In any chat</b>
    Type <code>@{ $bot } to do nothing</code> and choose a card.

    <b>Commands</b>
    /random — an idiom at random
    /help — this help

## Answers

results-title = 🔎 <b>{ $query }</b>
similar-title = ≈ Similar to “<b>{ $phrase }</b>”
nothing-found =
    No idiom comes close to “{ $query }”.

    Try other words: describe the person, the feeling or the situation that you need an idiom for.

## Card of an idiom

card-meaning-ru = In Russian: { $meaning }
card-meaning-en = In English: { $meaning }
card-equivalents = <b>Equivalents:</b> { $value }
card-variants = <b>Variants:</b> { $value }
card-example = <b>Example:</b> <i>{ $value }</i>
card-origin = <b>Origin</b>
    <blockquote expandable>{ $value }</blockquote>
card-topics = <b>Topics:</b> { $value }
card-source = <a href="{ $address }">Source</a>
card-similar = <b>Similar</b>
kind-idiom = idiom
kind-proverb = proverb
kind-quotation = famous quotation
register-bookish = literary
register-colloquial = informal
register-dated = dated
register-vulgar = vulgar

## Buttons

button-back = ← Back
button-earlier = ← Earlier
button-more = More →
button-random = 🎲 Random
button-similar = ≈ All similar

## Short answers

notice-old-button = This button is from an older version. Ask again to get new ones.
notice-phrase-gone = This idiom is no longer in the collection.
notice-step-gone = There is no way back: that step was erased. Please ask again.
notice-error = Something broke, and it is our fault. Please try again.
notice-unknown-command = There is no such command. See /help for all of them, or just describe an idiom in words.
notice-not-text = I only understand text. Describe in words what you mean.

## Menu of commands

command-random = an idiom at random
command-help = how to use the bot

## Terminal

terminal-hint = A number opens an idiom, a letter presses a button, an empty line leaves.

## Topics

topic-anger = anger
topic-animals = animals
topic-appearance = appearance
topic-attention = attention
topic-body = body
topic-character = character
topic-clothes = clothes
topic-colours = colours
topic-conflict = conflict
topic-danger = danger
topic-death = death
topic-deception = deception
topic-difficulty = difficulty
topic-ease = ease
topic-emotion = feelings
topic-failure = failure
topic-family = family
topic-fear = fear
topic-food = food
topic-friendship = friendship
topic-health = health
topic-home = home
topic-idleness = idleness
topic-intellect = wits and folly
topic-joy = joy
topic-justice = justice
topic-law = law
topic-life = life
topic-love = love
topic-luck = luck
topic-money = money
topic-nature = nature
topic-numbers = numbers
topic-people = people
topic-place = places
topic-poverty = poverty
topic-power = power
topic-pride = pride
topic-quantity = quantity
topic-religion = faith
topic-sadness = sadness
topic-secrecy = secrecy
topic-similarity = similarity
topic-speech = speech
topic-speed = speed
topic-success = success
topic-surprise = surprise
topic-time = time
topic-travel = travel
topic-truth = truth
topic-uselessness = uselessness
topic-war = war
topic-wealth = wealth
topic-weather = weather
topic-work = work
