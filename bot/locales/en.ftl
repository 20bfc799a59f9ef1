### Texts of the bot. The program fills in { $... }; <b>, <i> and other tags are Telegram's mark-up.

## First meeting

start =
    Hello! I find idioms by meaning: say in your own words what you mean, and I will find idioms, proverbs and famous quotations for it.

    I understand English, Russian and emoji, typos and a wrong keyboard layout. I can teach you, too: save idioms, and I will help you remember them.

    Try one of these, or write your own. What else I can do: /help
start-examples = to be very happy; something very easy; how do Russians say “break a leg”
help =
    <b>Search</b>
    Write the thought in plain words: <code>reveal a secret by accident</code>. Or the beginning of an idiom whose end you forgot: <code>once in a blue</code>.

    • <code>"piece of cake"</code> — quotes: the idiom has these words
    • <code>* in the bag</code> — an asterisk: for what you forgot
    • 😱 or 😴 — emoji: a description too
    • typos, <code>рфззн</code> or Russian in Latin letters — I get it, and show what I searched

    A numbered button opens an idiom: its meaning, an example, its origin, similar ones. 💡 explains which words of yours led there. “← Back” undoes one step, as often as you like.

    <b>In any chat</b>
    Type <code>@{ $bot } to be very happy</code> and choose a card.

    <b>In a group</b>
    Mention me or reply to a message of mine.

    <b>Commands</b>
    /random — an idiom at random; a topic helps: <code>/random animals</code>
    /topic — idioms by topic
    /word, /proverbs, /synonyms, /opposite, /origin, /meaning, /ru, /en — as in a dictionary: <code>/word cat</code>
    /quiz — guess the meaning
    /daily — the idiom of the day at your hour
    /saved — what you saved
    /learn — learn what you saved
    /history — what you searched and opened
    /settings — language, idioms, hours
    /privacy — what I remember about you
description =
    You know what you mean, but the idiom escapes you? Describe it in your own words, in English or Russian, and I will find the idioms and proverbs that say it.
description-short = Finds idioms by meaning: describe the thought in your own words.
example = to be very happy

## Answers

results-title = 🔎 <b>{ $query }</b>
results-repaired = ✏️ Searched: <b>{ $searched }</b>
results-exact = Searched exactly as typed.
results-unknown-name = 📭 I do not have that very idiom, so I searched by the meaning of its words.
origin-unknown = I do not know where “<b>{ $phrase }</b>” comes from.
results-perhaps = 🤔 Not sure, but it may be one of these.
results-nearest = Nothing really fits. These come closest.
similar-title = ≈ Similar to “<b>{ $phrase }</b>”
similar-none = Nothing is close to “<b>{ $phrase }</b>”.
nothing-found = No idiom comes close to “{ $query }”.
nothing-found-advice =
    Try other words: describe the person, the feeling or the situation that you need an idiom for.
topics =
    I have no such topic. These are the ones I have: { $topics }.

    For example: <code>/random food</code> or <code>/random russian money</code>
random-empty = There are no such idioms yet. Try another topic: /random
limit-near =
    <i>{ $left ->
        [0] That was your last query for today. Counting starts again at midnight.
        [one] { $left } query left for today.
       *[other] { $left } queries left for today.
    }</i>
limit-reached =
    That is all for today: { $limit ->
        [one] { $limit } query
       *[other] { $limit } queries
    } a day. Come back tomorrow; /saved and /random are still open.
why = 💡 Matched: { $words }
why-word = “{ $word }” { $share }%
why-sentence = the sentence as a whole { $share }%
why-wording = 💡 The words matched
why-counterpart = 💡 Another language says it like this
why-similar = 💡 Close in meaning to the idiom that you typed
why-topic = 💡 It is on this topic
why-opposite = 💡 It says the opposite
why-unknown = 💡 The meaning as a whole matched

## Small talk

talk-greeting =
    Hello! What would you like to say? Put it in your own words, and I will find an idiom for it. For example: <code>can hardly wait</code>
talk-thanks = You are welcome! Whenever words fail you, just write.
talk-who =
    I am a bot that finds idioms, proverbs and famous quotations, English and Russian. Describe a thought, or ask about an idiom, for example:
    • <code>doing nothing all day</code>
    • <code>how do Russians say “break a leg”</code>

    What else I can do: /help

## Kindness

despair =
    I am so sorry that things are this hard for you. It is good that you wrote it down. You do not have to be alone with it: there are people who will listen and help, right now.
despair-everywhere =
    • <b>112</b>, <b>911</b> or <b>999</b>, whichever works where you are — if a life is in danger
    • findahelpline.com — free help in any country
despair-here = Please call or write to them, and tell somebody you trust. I am only a bot, but you matter.
button-idiom-after-all = I was looking for an idiom
button-ask-despair = 💛 Hard times? There is help

## Questions to a dictionary

# Asked as the search understands them: in Russian or in English.
# Those in -about are for words that have a preposition of their own: “about friendship”.
ask-how = Add what you are asking about after the command, for example: <code>{ $example }</code>
ask-topic = idioms about { $words }
ask-topic-about = idioms { $words }
ask-topic-example = friendship
ask-proverbs = proverbs about { $words }
ask-proverbs-about = proverbs { $words }
ask-proverbs-example = friendship
ask-word = idioms with the word “{ $words }”
ask-word-example = cat
ask-synonyms = synonyms for “{ $words }”
ask-synonyms-example = piece of cake
ask-opposite = opposite of “{ $words }”
ask-opposite-example = spill the beans
ask-origin = origin of “{ $words }”
ask-origin-example = break a leg
ask-meaning = what does “{ $words }” mean
ask-meaning-example = break a leg
ask-ru = how do you say “{ $words }” in Russian
ask-ru-example = break a leg
ask-en = how do you say “{ $words }” in English
ask-en-example = ни пуха ни пера
topics-title = 🗂 Choose a topic

## Card of an idiom

card-meaning-ru = <i>In Russian:</i> { $meaning }
card-meaning-en = <i>In English:</i> { $meaning }
card-equivalents-en = <b>English speakers say</b>
card-equivalents-ru = <b>Russian speakers say</b>
card-found = ≈ { $value } <i>— found by meaning</i>
card-variants = <b>Variants:</b> { $value }
card-literal = <i>Word for word:</i> { $value }
card-opposites = <b>The opposite:</b> { $value }
card-examples = <b>{ $count ->
        [one] Example
       *[other] Examples
    }</b>
    <blockquote expandable>{ $value }</blockquote>
card-usage = <b>Usage</b>
    <blockquote expandable>{ $value }</blockquote>
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
button-similar = ≈ Similar
button-more-similar = ≈ More similar
button-why = 💡 Why
button-why-not = 💡 Hide
button-exact = Search exactly: { $query }
button-nearest = Show the nearest
button-repaired = ✏️ Searched: { $searched }
button-show-ru = 🌐 Show Russian idioms
button-show-en = 🌐 Show English idioms
button-always-ru = 📌 Always Russian idioms
button-always-en = 📌 Always English idioms
button-always-own = 📌 Always the language I write in
button-save = ☆ Save
button-saved = ★ Saved
button-copy = 📋 Idiom
button-copy-meaning = 📋 With meaning
button-share = ↗ Share
button-wrong = ⚠️ Inaccurate
button-fixed = ✅ Fixed
button-kept = 👌 Right as is
button-open = Open
button-start = Open in the bot
button-ask = Nothing close. Ask the bot?
button-try-inline = ↗ Try it in another chat
button-quiz = Next question
button-quiz-open = 📖 See the idiom
button-score = 🏅 Score
button-export = ⬇ Download
button-forget = 🗑 Erase all
button-erase = 🗑 Clear
button-sure = Yes, erase
button-not-sure = Keep it
button-daily = 🌅 Daily idiom
button-daily-stop = 🔕 Stop sending
button-zone = 🌍 Time zone

## History and saved idioms

history-title = <b>You searched and opened</b>
history-exact = { $query } (exactly)
history-empty = What you search and open will be listed here. Nothing so far: write me something.
saved-title =
    ★ <b>{ $count ->
        [one] { $count } saved idiom
       *[other] { $count } saved idioms
    }</b>
anki-deck = Idioms
saved-empty = The idioms that you save will be here: open any of them and press “☆ Save”.

## Preferences

settings =
    ⚙️ <b>Settings</b>

    Language: { $language }
    Idioms I search: { $idioms }
    Idiom of the day: { $daily }
language = English
language-auto = as in Telegram
scope-all = in the language you write in
scope-ru = Russian
scope-en = English
# The language of the collection in which its readers are told what idioms mean.
reads = en
# The time zone of those who have not chosen one.
home-zone = Europe/London
daily-never = not sent
daily-title = 🌅 <b>Idiom of the day</b> (change: /daily)
daily-on = 🌅 The idiom of the day comes at <b>{ $time }</b>.
daily-what = Tell me what time the idiom should come each day: <code>/daily 8:30</code>, <code>/daily 8 am</code>, <code>/daily noon</code>.
daily-off = 🌅 Would you like an idiom every day? Choose the hour.
daily-zone = Your time: { $place }. If that is wrong, press “Time zone”.
zones-title = Where are you? Choose a city in your time zone. If there is none, write: <code>/daily 9 Asia/Tbilisi</code>

## Repetition

learn-empty =
    🧠 Save the idioms that you want to remember: open any of them and press “☆ Save”. I will ask you about them at growing intervals, until you know them.
learn-paused = 🧠 Reviews are paused.
learn-left =
    🧠 { $count ->
        [one] { $count } idiom left
       *[other] { $count } idioms left
    }
learn-meaning =
    <b>{ $phrase }</b>

    What does it mean?
learn-which = Which idiom says this?
learn-which-ru = Which Russian idiom says this?
learn-which-en = Which English idiom says this?
learn-gap =
    <i>{ $example }</i>

    Fill in the idiom: { $meaning }
learn-done = 🎉 That is all for now.
learn-next = Next one { $span }
learn-tomorrow = New idioms come tomorrow.
learn-streak =
    🔥 Streak: { $days ->
        [one] { $days } day
       *[other] { $days } days
    }
learn-waiting =
    🧠 { $count ->
        [one] { $count } idiom is waiting: /learn
       *[other] { $count } idioms are waiting: /learn
    }
learn-plan =
    🧠 <b>Reviews</b>

    New idioms a day: { $pace }. They come from the ones you saved, oldest first.
grade-again = No idea
grade-hard = Hard
grade-good = Good
grade-easy = Easy
button-learn = 🧠 Review
button-reveal = Show the answer
button-ungrade = ↶ Change my grade
button-plan = ⚙️ Reviews
button-pause = ⏸ Pause
button-resume = ▶️ Resume
button-reset = 🗑 Start over
sure-learning = Forget how well you know your saved idioms? The idioms themselves stay saved.
erased-learning = Done: reviews start over. /learn
command-learn = review what you saved

## Quiz

quiz-question = What does “{ $phrase }” mean?
quiz-which = Which idiom means “{ $meaning }”?
quiz-gap = Which idiom fits? { $example }
quiz-score =
    { $asked ->
        [0] —
       *[other] { $correct } of { $asked }
    }
quiz-scores =
    Correct answers
    this week: { $this }
    last week: { $last }
    in total: { $ever }
quiz-impossible = There are too few idioms for a quiz. Choose “In the language you write in” in /settings.

## Feedback

report-ask = What is wrong with “<b>{ $phrase }</b>”?
fault-translation = Translation
fault-spelling = Spelling
fault-meaning = Meaning
fault-origin = Origin
fault-other = Something else
report-comment = Can you say more, in a few words? Reply to this message. If there is nothing to add, just go on.
report-placeholder = What exactly is wrong
report-thanks = Thank you! I will pass it on to the editors.
report-fixed = ✅ “<b>{ $phrase }</b>”: what you reported has been fixed. Thank you!
report-kept = 👌 “<b>{ $phrase }</b>”: the editors looked at your report and decided to leave it as it is. Thank you for writing.

## Personal data

privacy =
    <b>What I remember about you</b>

    • Your Telegram ID (not your phone number), language, time zone and the hour of your idiom of the day.
    • What you searched and opened: for your own history and the “Back” button, for half a year at most. Erase it: /history
    • Saved idioms, how well you know them, quiz answers, and your 👍 👎 with the query they were given for.
    • When you press “⚠️ Inaccurate”, the admins see your ID and your comment with the idiom.

    Nothing else, and I share it with nobody. The more people choose an idiom, the earlier it comes in the answers; it does not matter who they are. You can download all of it (/export) or erase it (/forget).
sure-history = Erase the whole history? The “Back” buttons of old messages will stop working.
sure-all = Erase everything: history, saved idioms, votes, score and preferences? This cannot be undone.
sure-saved = Erase all saved idioms? This cannot be undone.
erased-history = Done: the history is empty.
erased-saved = Done: nothing is saved any more.
erased-all = Done: I remember nothing about you.
erased-nothing = All right, nothing was changed.

## For admins

report = ⚠️ { $fault }: reported by user { $user }
report-commented = ⚠️ A comment on “<b>{ $phrase }</b>”: { $comment }
reports-none = No report is waiting for an answer.
reports-title = ⚠️ <b>{ $phrase }</b> ({ $page } of { $pages })
stats =
    <b>In 30 days</b>
    People: { $people }
    Queries: { $queries }, today { $today }
    Answer: { $median } ms, 99% faster than { $slow } ms
stats-top = Opened most:

## Short answers

notice-old-button = This button is from an older version. Ask again to get new ones.
notice-phrase-gone = This idiom is no longer in the collection.
notice-step-gone = That page is no longer available. Please ask again.
notice-error = Something broke, and it is our fault. Please try again.
notice-overtaken = One moment: you are writing faster than I am allowed to answer. I will answer the latest messages.
notice-state = I cannot reach what I remember just now: there is trouble with our storage. Please try again later.
report-state = ⚠️ The state cannot be read or written, so the search goes on without history and nothing is saved: { $reason }. Look at the disk and at the log.
notice-unknown-command = There is no such command. They are all in /help. To find an idiom, just say what you mean.
notice-not-text = I only understand text. Describe in words what you mean.
notice-only-private = That is personal. Write to me in private and I will answer there.
notice-export-cut = It does not all fit into one file: the oldest entries of your very long history are missing.
notice-scope-ru = From now on I search Russian idioms. To change it: /settings
notice-scope-en = From now on I search English idioms. To change it: /settings
notice-scope-own = From now on I search in the language you write in. To change it: /settings
notice-saved = ★ Saved. All of them: /saved, to review them: /learn
notice-unsaved = No longer saved.
notice-vote-up = Thank you! Glad it fits.
notice-vote-down = Thank you, noted.
notice-reported = ⚠️ Thank you! The editors will look at this entry.
notice-reports-many = That is enough for today, thank you! Please send the rest tomorrow.
notice-only-admins = Only admins can do that.
notice-answered =
    { $count ->
        [0] There is nobody to answer.
        [one] Sent to { $count } person.
       *[other] Sent to { $count } people.
    }
notice-vote-back = Taken back.

## Menu of commands

command-random = an idiom at random
command-topic = idioms by topic
command-quiz = guess the meaning
command-daily = the idiom of the day
command-saved = your saved idioms
command-history = what you searched
command-settings = settings
command-privacy = what I remember about you
command-help = how to use the bot

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
topic-intellect = intelligence
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

### The picture

button-picture = 🖼 Picture
picture-in-en = In English
picture-in-ru = In Russian
