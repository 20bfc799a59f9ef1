### Texte des Bots. Das Programm setzt { $... } ein; <b>, <i> und andere Tags sind die Auszeichnung von Telegram.

## First meeting

start =
    Hallo! Ich finde Redewendungen nach ihrem Sinn: Sag in eigenen Worten, was du meinst, und ich suche englische und russische Redewendungen, Sprichwörter und geflügelte Worte dazu.

    Ich verstehe Englisch, Russisch und Emoji, Tippfehler und ein falsches Tastaturlayout. Auch lernen kannst du mit mir: Merk dir Redewendungen, und ich frage dich später ab.

    Probier eines davon aus, oder schreib selbst etwas. Was ich noch kann: /help
start-examples = to be very happy; something very easy; how do Russians say “break a leg”
help =
    <b>Suche</b>
    Schreib den Gedanken auf Englisch oder Russisch in einfachen Worten: <code>reveal a secret by accident</code>. Oder den Anfang einer Redewendung, deren Ende dir fehlt: <code>once in a blue</code>.

    • <code>"piece of cake"</code> — Anführungszeichen: Diese Wörter kommen vor
    • <code>* in the bag</code> — ein Stern: für das Vergessene
    • 😱 oder 😴 — auch Emoji beschreiben etwas
    • Tippfehler, <code>рфззн</code> oder Russisch in lateinischen Buchstaben — ich verstehe es und zeige, was ich gesucht habe

    Ein Knopf mit einer Nummer öffnet eine Redewendung: Bedeutung, Beispiel, Herkunft, Ähnliches. 💡 erklärt, welche deiner Wörter dorthin geführt haben. „← Zurück“ nimmt einen Schritt zurück, so oft du willst.

    <b>In jedem Chat</b>
    Schreib <code>@{ $bot } to be very happy</code> und wähl eine Karte.

    <b>In einer Gruppe</b>
    Erwähne mich oder antworte auf eine Nachricht von mir.

    <b>Befehle</b>
    /random — eine zufällige Redewendung; ein Thema hilft: <code>/random animals</code>
    /topic — Redewendungen nach Themen
    /word, /proverbs, /synonyms, /opposite, /origin, /meaning, /ru, /en — wie im Wörterbuch: <code>/word cat</code>
    /quiz — errate die Bedeutung
    /daily — die Redewendung des Tages zu deiner Zeit
    /saved — was du dir gemerkt hast
    /learn — lerne, was du dir gemerkt hast
    /history — was du gesucht und geöffnet hast
    /settings — Sprache, Redewendungen, Zeiten
    /privacy — was ich über dich weiß
description =
    Du weißt, was du sagen willst, aber die Redewendung fällt dir nicht ein? Beschreib sie mit deinen Worten auf Englisch oder Russisch, und ich finde Redewendungen und Sprichwörter, die genau das sagen.
description-short = Findet englische und russische Redewendungen nach ihrem Sinn.
example = to be very happy

## Answers

results-title = 🔎 <b>{ $query }</b>
results-repaired = ✏️ Gesucht: <b>{ $searched }</b>
results-exact = Gesucht genau wie geschrieben.
results-unknown-name = 📭 Diese Redewendung selbst habe ich nicht. Gesucht habe ich nach dem Sinn ihrer Wörter.
origin-unknown = Woher „<b>{ $phrase }</b>“ kommt, weiß ich nicht.
results-perhaps = 🤔 Ich bin nicht sicher, aber vielleicht ist eine davon richtig.
results-nearest = Richtig Passendes gibt es nicht. Am nächsten kommt das hier.
similar-title = ≈ Ähnlich wie „<b>{ $phrase }</b>“
similar-none = Zu „<b>{ $phrase }</b>“ gibt es nichts Ähnliches.
nothing-found = Zu „{ $query }“ passt keine Redewendung.
nothing-found-advice =
    Sag es auf Englisch oder Russisch, mit anderen Worten: Beschreib den Menschen, das Gefühl oder die Lage, für die du eine Redewendung brauchst.
topics =
    Dieses Thema habe ich nicht. Es gibt: { $topics }.

    Zum Beispiel: <code>/random food</code> oder <code>/random russian money</code>
random-empty = Solche Redewendungen gibt es noch nicht. Versuch ein anderes Thema: /random
limit-near =
    <i>{ $left ->
        [0] Das war deine letzte Frage für heute. Ab Mitternacht zähle ich neu.
        [one] Heute ist noch { $left } Frage übrig.
       *[other] Heute sind noch { $left } Fragen übrig.
    }</i>
limit-reached =
    Das war’s für heute: { $limit ->
        [one] { $limit } Frage
       *[other] { $limit } Fragen
    } am Tag. Komm morgen wieder; /saved und /random gehen weiterhin.
why = 💡 Gepasst hat: { $words }
why-word = „{ $word }“ { $share } %
why-sentence = der ganze Satz { $share } %
why-wording = 💡 Die Wörter haben gepasst
why-counterpart = 💡 So sagt es die andere Sprache
why-similar = 💡 Ähnlich im Sinn wie die genannte Redewendung
why-topic = 💡 Zu diesem Thema
why-opposite = 💡 Sagt das Gegenteil
why-unknown = 💡 Der Sinn als Ganzes hat gepasst

## Small talk

talk-greeting =
    Hallo! Was möchtest du sagen? Schreib es in eigenen Worten, und ich finde eine Redewendung. Zum Beispiel: <code>can hardly wait</code>
talk-thanks = Gern geschehen! Wenn dir die Worte fehlen, schreib einfach.
talk-who =
    Ich bin ein Bot, der Redewendungen, Sprichwörter und geflügelte Worte findet, englische und russische. Beschreib einen Gedanken, oder frag nach einer Redewendung, zum Beispiel:
    • <code>doing nothing all day</code>
    • <code>how do Russians say “break a leg”</code>

    Was ich noch kann: /help

## Kindness

despair =
    Es tut mir sehr leid, dass es dir gerade so schlecht geht. Gut, dass du es aufgeschrieben hast. Du musst damit nicht allein bleiben: Es gibt Menschen, die dir zuhören und helfen, jetzt gleich.
despair-everywhere =
    • <b>112</b> — wenn ein Leben in Gefahr ist
    • findahelpline.com — kostenlose Hilfe in jedem Land
despair-here = Bitte ruf dort an oder schreib ihnen, und sag es jemandem, dem du vertraust. Ich bin nur ein Bot, aber du bist mir nicht egal.
button-idiom-after-all = Ich suche eine Redewendung
button-ask-despair = 💛 Geht es dir schlecht? Es gibt Hilfe

## Questions to a dictionary

ask-how = Schreib hinter den Befehl, wonach du fragst, zum Beispiel: <code>{ $example }</code>
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
topics-title = 🗂 Worum soll es gehen?

## Card of an idiom

card-meaning-ru = <i>Auf Russisch:</i> { $meaning }
card-meaning-en = <i>Auf Englisch:</i> { $meaning }
card-equivalents-en = <b>Auf Englisch sagt man</b>
card-equivalents-ru = <b>Auf Russisch sagt man</b>
card-found = ≈ { $value } <i>— nach dem Sinn gefunden</i>
card-variants = <b>Varianten:</b> { $value }
card-literal = <i>Wörtlich:</i> { $value }
card-opposites = <b>Das Gegenteil:</b> { $value }
card-examples = <b>{ $count ->
        [one] Beispiel
       *[other] Beispiele
    }</b>
    <blockquote expandable>{ $value }</blockquote>
card-usage = <b>Gebrauch</b>
    <blockquote expandable>{ $value }</blockquote>
card-origin = <b>Herkunft</b>
    <blockquote expandable>{ $value }</blockquote>
card-topics = <b>Themen:</b> { $value }
card-source = <a href="{ $address }">Quelle</a>
card-similar = <b>Ähnliche</b>
kind-idiom = Redewendung
kind-proverb = Sprichwort
kind-quotation = geflügeltes Wort
register-bookish = gehoben
register-colloquial = umgangssprachlich
register-dated = altmodisch
register-vulgar = derb

## Buttons

button-back = ← Zurück
button-earlier = ← Vorige
button-more = Mehr →
button-random = 🎲 Zufall
button-similar = ≈ Ähnliche
button-more-similar = ≈ Mehr davon
button-why = 💡 Warum
button-why-not = 💡 Ausblenden
button-exact = Genau so suchen: { $query }
button-nearest = Das Ähnlichste zeigen
button-repaired = ✏️ Gesucht: { $searched }
button-show-ru = 🌐 Russische zeigen
button-show-en = 🌐 Englische zeigen
button-always-ru = 📌 Immer russische
button-always-en = 📌 Immer englische
button-always-own = 📌 Immer in der Sprache der Frage
button-save = ☆ Merken
button-saved = ★ Gemerkt
button-copy = 📋 Wendung
button-copy-meaning = 📋 Bedeutung
button-share = ↗ Teilen
button-wrong = ⚠️ Ungenau
button-fixed = ✅ Behoben
button-kept = 👌 Stimmt so
button-open = Öffnen
button-start = Im Bot öffnen
button-ask = Nichts Passendes. Den Bot fragen?
button-try-inline = ↗ In einem anderen Chat
button-quiz = Nächste Frage
button-quiz-open = 📖 Zur Wendung
button-score = 🏅 Punkte
button-export = ⬇ Download
button-forget = 🗑 Alles löschen
button-erase = 🗑 Leeren
button-sure = Ja, löschen
button-not-sure = Behalten
button-daily = 🌅 Täglich
button-daily-stop = 🔕 Nicht senden
button-zone = 🌍 Zeitzone

## History and saved idioms

history-title = <b>Das hast du gesucht und geöffnet</b>
history-exact = { $query } (genau)
history-empty = Hier steht später, was du suchst und öffnest. Noch ist nichts da: Schreib mir etwas.
saved-title =
    ★ <b>{ $count ->
        [one] { $count } gemerkte Redewendung
       *[other] { $count } gemerkte Redewendungen
    }</b>
anki-deck = Redewendungen
saved-empty = Hier stehen die Redewendungen, die du dir merkst: Öffne eine und drück „☆ Merken“.

## Preferences

settings =
    ⚙️ <b>Einstellungen</b>

    Sprache: { $language }
    Ich suche Redewendungen: { $idioms }
    Redewendung des Tages: { $daily }
language = Deutsch
language-auto = wie in Telegram
scope-all = in der Sprache der Frage
scope-ru = russische
scope-en = englische
reads = en
home-zone = Europe/Berlin
daily-never = kommt nicht
daily-title = 🌅 <b>Redewendung des Tages</b> (ändern: /daily)
daily-on = 🌅 Die Redewendung des Tages kommt um <b>{ $time }</b>.
daily-what = Schreib, um wie viel Uhr die Redewendung jeden Tag kommen soll: <code>/daily 8:30</code>, <code>/daily 8 Uhr</code>, <code>/daily Mittag</code>.
daily-off = 🌅 Möchtest du jeden Tag eine Redewendung? Wähl die Uhrzeit.
daily-zone = Deine Zeit: { $place }. Wenn das nicht stimmt, drück „Zeitzone“.
zones-title = Wo bist du? Wähl eine Stadt in deiner Zeitzone. Wenn keine passt, schreib: <code>/daily 9 Asia/Tbilisi</code>

## Repetition

learn-empty =
    🧠 Merk dir die Redewendungen, die du lernen willst: Öffne eine und drück „☆ Merken“. Ich frage sie in wachsenden Abständen ab, bis du sie kannst.
learn-paused = 🧠 Das Wiederholen ist pausiert.
learn-left =
    🧠 { $count ->
        [one] Noch { $count } Redewendung
       *[other] Noch { $count } Redewendungen
    }
learn-meaning =
    <b>{ $phrase }</b>

    Was bedeutet das?
learn-which = Welche Redewendung sagt das?
learn-which-ru = Welche russische Redewendung sagt das?
learn-which-en = Welche englische Redewendung sagt das?
learn-gap =
    <i>{ $example }</i>

    Welche Redewendung fehlt? { $meaning }
learn-done = 🎉 Fürs Erste ist alles wiederholt.
learn-next = Die nächste kommt { $span }
learn-tomorrow = Neue kommen morgen.
learn-streak =
    🔥 Ohne Pause: { $days ->
        [one] { $days } Tag
       *[other] { $days } Tage
    }
learn-waiting =
    🧠 { $count ->
        [one] { $count } Redewendung wartet: /learn
       *[other] { $count } Redewendungen warten: /learn
    }
learn-plan =
    🧠 <b>Wiederholen</b>

    Neue Redewendungen am Tag: { $pace }. Sie kommen aus den gemerkten, die am längsten gemerkten zuerst.
grade-again = Falsch
grade-hard = Schwer
grade-good = Gewusst
grade-easy = Leicht
button-learn = 🧠 Wiederholen
button-reveal = Antwort zeigen
button-ungrade = ↶ Anders bewerten
button-plan = ⚙️ Wiederholen
button-pause = ⏸ Pause
button-resume = ▶️ Weiter
button-reset = 🗑 Von vorn
sure-learning = Soll ich vergessen, wie gut du die gemerkten Redewendungen kannst? Gemerkt bleiben sie.
erased-learning = Erledigt: Das Wiederholen beginnt von vorn. /learn
command-learn = wiederholen, was du dir gemerkt hast

## Quiz

quiz-question = Was bedeutet „{ $phrase }“?
quiz-which = Welche Redewendung bedeutet „{ $meaning }“?
quiz-gap = Welche Redewendung passt? { $example }
quiz-score =
    { $asked ->
        [0] —
       *[other] { $correct } von { $asked }
    }
quiz-scores =
    Richtige Antworten
    diese Woche: { $this }
    letzte Woche: { $last }
    insgesamt: { $ever }
quiz-impossible = Für ein Quiz gibt es zu wenige Redewendungen. Wähl in /settings „In der Sprache der Frage“.

## Feedback

report-ask = Was stimmt nicht an „<b>{ $phrase }</b>“?
fault-translation = Übersetzung
fault-spelling = Rechtschreibung
fault-meaning = Bedeutung
fault-origin = Herkunft
fault-other = Etwas anderes
report-comment = Magst du in ein paar Worten sagen, was? Antworte auf diese Nachricht. Wenn nicht, schreib einfach weiter.
report-placeholder = Was genau nicht stimmt
report-thanks = Danke! Ich gebe es an die Redaktion weiter.
report-fixed = ✅ „<b>{ $phrase }</b>“: Was du gemeldet hast, ist behoben. Danke!
report-kept = 👌 „<b>{ $phrase }</b>“: Die Redaktion hat sich deine Meldung angesehen und lässt den Eintrag, wie er ist. Danke, dass du geschrieben hast.

## Personal data

privacy =
    <b>Was ich über dich weiß</b>

    • Deine Telegram-ID (nicht die Telefonnummer), Sprache, Zeitzone und die Uhrzeit deiner Redewendung des Tages.
    • Was du gesucht und geöffnet hast: für deinen Verlauf und den Knopf „Zurück“, höchstens ein halbes Jahr. Löschen: /history
    • Gemerkte Redewendungen, wie gut du sie kannst, Quizantworten und deine 👍 👎 mit der Frage, zu der sie gehören.
    • Wenn du „⚠️ Ungenau“ drückst, sehen die Admins deine ID und deinen Kommentar zu der Redewendung.

    Sonst nichts, und ich gebe es niemandem. Je mehr Menschen eine Redewendung wählen, desto früher steht sie in den Antworten; wer sie gewählt hat, spielt keine Rolle. Du kannst alles herunterladen (/export) oder löschen (/forget).
sure-history = Den ganzen Verlauf löschen? Die Knöpfe „Zurück“ in alten Nachrichten gehen dann nicht mehr.
sure-all = Alles löschen: Verlauf, Gemerktes, Bewertungen, Punkte und Einstellungen? Das lässt sich nicht zurücknehmen.
sure-saved = Alles Gemerkte löschen? Das lässt sich nicht zurücknehmen.
erased-history = Erledigt: Der Verlauf ist leer.
erased-saved = Erledigt: Es ist nichts mehr gemerkt.
erased-all = Erledigt: Ich weiß nichts mehr über dich.
erased-nothing = Gut, alles bleibt, wie es war.

## For admins

report = ⚠️ { $fault }: gemeldet von { $user }
report-commented = ⚠️ Ein Kommentar zu „<b>{ $phrase }</b>“: { $comment }
reports-none = Keine Meldung wartet auf Antwort.
reports-title = ⚠️ <b>{ $phrase }</b> ({ $page } von { $pages })
stats =
    <b>In 30 Tagen</b>
    Menschen: { $people }
    Fragen: { $queries }, heute { $today }
    Antwort: { $median } ms, 99 % schneller als { $slow } ms
stats-top = Am häufigsten geöffnet:

## Short answers

notice-old-button = Dieser Knopf ist aus einer älteren Version. Frag noch einmal, dann gibt es neue.
notice-phrase-gone = Diese Redewendung ist nicht mehr in der Sammlung.
notice-step-gone = Diese Seite gibt es nicht mehr. Bitte frag noch einmal.
notice-error = Etwas ist schiefgegangen, und das liegt an uns. Bitte versuch es noch einmal.
notice-overtaken = Moment: Du schreibst schneller, als ich antworten darf. Ich beantworte die letzten Nachrichten.
notice-state = Ich komme gerade nicht an das heran, was ich mir gemerkt habe: Der Speicher macht Ärger. Bitte versuch es später.
report-state = ⚠️ Der Zustand lässt sich nicht lesen oder schreiben. Die Suche läuft ohne Verlauf weiter, und nichts wird gespeichert: { $reason }. Sieh dir Platte und Protokoll an.
notice-unknown-command = Diesen Befehl gibt es nicht. Alle stehen in /help; eine Redewendung beschreibst du einfach in Worten.
notice-not-text = Ich verstehe nur Text. Beschreib in Worten, was du meinst.
notice-only-private = Das ist persönlich. Schreib mir privat, dann antworte ich dort.
notice-export-cut = Alles passt nicht in eine Datei: Sie enthält das Neueste. Es fehlen die ältesten Einträge eines sehr langen Verlaufs.
notice-scope-ru = Ab jetzt suche ich russische Redewendungen. Ändern: /settings
notice-scope-en = Ab jetzt suche ich englische Redewendungen. Ändern: /settings
notice-scope-own = Ab jetzt suche ich in der Sprache deiner Frage. Ändern: /settings
notice-saved = ★ Gemerkt. Alle: /saved, wiederholen: /learn
notice-unsaved = Nicht mehr gemerkt.
notice-vote-up = Danke! Schön, dass es passt.
notice-vote-down = Danke, ist notiert.
notice-reported = ⚠️ Danke! Die Redaktion sieht sich den Eintrag an.
notice-reports-many = Das reicht für heute, danke! Den Rest bitte morgen.
notice-only-admins = Das können nur Admins.
notice-answered =
    { $count ->
        [0] Es gibt niemanden zu benachrichtigen.
        [one] An { $count } Person geschickt.
       *[other] An { $count } Personen geschickt.
    }
notice-vote-back = Zurückgenommen.

## Menu of commands

command-random = eine zufällige Redewendung
command-topic = Redewendungen nach Themen
command-quiz = errate die Bedeutung
command-daily = die Redewendung des Tages
command-saved = was du dir gemerkt hast
command-history = was du gesucht hast
command-settings = Einstellungen
command-privacy = was ich über dich weiß
command-help = so funktioniert der Bot

## Topics

topic-anger = Zorn
topic-animals = Tiere
topic-appearance = Aussehen
topic-attention = Aufmerksamkeit
topic-body = Körper
topic-character = Charakter
topic-clothes = Kleidung
topic-colours = Farben
topic-conflict = Streit
topic-danger = Gefahr
topic-death = Tod
topic-deception = Betrug
topic-difficulty = Schwierigkeiten
topic-ease = Leichtigkeit
topic-emotion = Gefühle
topic-failure = Misserfolg
topic-family = Familie
topic-fear = Angst
topic-food = Essen
topic-friendship = Freundschaft
topic-health = Gesundheit
topic-home = Zuhause
topic-idleness = Nichtstun
topic-intellect = Verstand
topic-joy = Freude
topic-justice = Gerechtigkeit
topic-law = Gesetz
topic-life = Leben
topic-love = Liebe
topic-luck = Glück
topic-money = Geld
topic-nature = Natur
topic-numbers = Zahlen
topic-people = Menschen
topic-place = Orte
topic-poverty = Armut
topic-power = Macht
topic-pride = Stolz
topic-quantity = Menge
topic-religion = Glaube
topic-sadness = Traurigkeit
topic-secrecy = Geheimnisse
topic-similarity = Ähnlichkeit
topic-speech = Reden
topic-speed = Tempo
topic-success = Erfolg
topic-surprise = Überraschung
topic-time = Zeit
topic-travel = Reisen
topic-truth = Wahrheit
topic-uselessness = Nutzlosigkeit
topic-war = Krieg
topic-wealth = Reichtum
topic-weather = Wetter
topic-work = Arbeit

### The picture

button-picture = 🖼 Bild
picture-in-en = Auf Englisch
picture-in-ru = Auf Russisch
