### Тексты бота. Всё внутри { $... } подставляет программа; <b>, <i> и другие теги — разметка Telegram.

## Знакомство

start =
    Привет! Я нахожу идиомы по смыслу: напишите своими словами, что хотите сказать, и я подберу фразеологизмы, пословицы и крылатые выражения.

    Понимаю русский, английский и эмодзи, опечатки, транслит и забытую раскладку. Могу и научить: сохраняйте идиомы, и я помогу их запомнить.

    Попробуйте прямо сейчас или напишите своё. Что ещё я умею: /help
start-examples = бездельничать целыми днями; выдать тайну; как по-английски «ни пуха ни пера»
help =
    <b>Поиск</b>
    Напишите мысль обычными словами: <code>обмануть доверчивого человека</code>. Или начало идиомы, если забыли, как она кончается: <code>как снег на</code>.

    • <code>"без царя"</code> — кавычки: эти слова есть в идиоме
    • <code>* в мешке</code> — звёздочка: вместо забытого
    • 😱 или 😴 — эмодзи: тоже описание
    • <code>,tpltkmybxfnm</code>, <code>bezdelnichat</code>, опечатки — пойму и покажу, что искал

    Кнопка с номером открывает идиому: значение, пример, происхождение, похожие. 💡 объясняет, какие слова запроса к ней привели. «← Назад» возвращает на шаг назад, сколько угодно раз.

    <b>В любом чате</b>
    Наберите <code>@{ $bot } бездельничать</code> и выберите карточку.

    <b>В группе</b>
    Упомяните меня или ответьте на моё сообщение.

    <b>Команды</b>
    /random — случайная идиома; можно с темой: <code>/random животные</code>
    /topic — идиомы по темам
    /word, /proverbs, /synonyms, /opposite, /origin, /meaning, /ru, /en — как в словаре: <code>/word рука</code>
    /quiz — угадать значение
    /daily — идиома дня в удобный час
    /saved — сохранённое
    /learn — запомнить сохранённое
    /history — что вы искали и открывали
    /settings — настройки
    /privacy — что я о вас помню
description =
    Вы знаете, что хотите сказать, а идиома не вспоминается? Опишите мысль своими словами по-русски или по-английски, и я найду пословицы и крылатые выражения с этим смыслом.
description-short = Находит идиомы по смыслу: опишите мысль своими словами.
example = бездельничать

## Ответы

results-title = 🔎 <b>{ $query }</b>
results-repaired = ✏️ Искал: <b>{ $searched }</b>
results-exact = Искал в точности как написано.
results-unknown-name = 📭 Самого этого выражения у меня нет. Искал по смыслу слов.
origin-unknown = О происхождении «<b>{ $phrase }</b>» мне ничего не известно.
results-perhaps = 🤔 Не уверен, но, может быть, одно из этих.
results-nearest = Точного не нашлось. Вот самое близкое.
similar-title = ≈ Похожие на «<b>{ $phrase }</b>»
similar-none = Ничего близкого к «<b>{ $phrase }</b>» нет.
nothing-found = На «{ $query }» близких по смыслу идиом не нашлось.
nothing-found-advice =
    Попробуйте сказать иначе: опишите человека, чувство или случай, для которого нужна идиома.
topics =
    Такой темы у меня нет. Вот все, какие есть: { $topics }.

    Например: <code>/random еда</code> или <code>/random английские деньги</code>
random-empty = Таких идиом пока нет. Попробуйте другую тему: /random
limit-near =
    <i>{ $left ->
        [0] Это был последний запрос на сегодня. В полночь счёт начнётся заново.
        [one] На сегодня остался { $left } запрос.
        [few] На сегодня осталось { $left } запроса.
       *[other] На сегодня осталось { $left } запросов.
    }</i>
limit-reached =
    На сегодня всё: { $limit ->
        [one] { $limit } запрос
        [few] { $limit } запроса
       *[other] { $limit } запросов
    } в день. Возвращайтесь завтра, а пока можно открыть /saved или /random.
why = 💡 Совпало: { $words }
why-word = «{ $word }» { $share } %
why-sentence = фраза целиком { $share } %
why-wording = 💡 Совпали слова
why-counterpart = 💡 Так это говорят на другом языке
why-similar = 💡 Близко по смыслу к набранной идиоме
why-topic = 💡 На эту тему
why-opposite = 💡 Говорит об обратном
why-unknown = 💡 Совпал смысл целиком

## Разговор ни о чём

talk-greeting =
    Здравствуйте! Что хотите сказать? Напишите своими словами, а я подберу идиому. Например: <code>ждать с нетерпением</code>
talk-thanks = Пожалуйста, рад помочь! Понадобится меткое слово — пишите.
talk-who =
    Я бот, который подбирает идиомы, пословицы и крылатые выражения, русские и английские. Опишите мысль или спросите о выражении, например:
    • <code>бездельничать целыми днями</code>
    • <code>как по-английски «ни пуха ни пера»</code>

    Что ещё я умею: /help

## Доброта

despair =
    Мне очень жаль, что вам сейчас так тяжело. Хорошо, что вы написали об этом. С такими мыслями не нужно оставаться наедине: есть люди, которые выслушают и помогут, прямо сейчас.
despair-everywhere =
    • <b>112</b> — если есть опасность для жизни
    • findahelpline.com — бесплатная помощь в других странах
despair-here = Пожалуйста, позвоните или напишите туда, а ещё кому-нибудь, кому вы доверяете. Я всего лишь бот, но мне не всё равно.
button-idiom-after-all = Мне нужна идиома
button-ask-despair = 💛 Вам тяжело? Есть помощь

## Вопросы словарю

# Вопросы задаются так, как их понимает поиск: по-русски или по-английски.
# Те, что кончаются на «-about», — для слов, перед которыми предлог уже есть: «о дружбе».
ask-how = Допишите после команды, о чём спрашиваете, например: <code>{ $example }</code>
ask-topic = идиомы на тему «{ $words }»
ask-topic-about = идиомы { $words }
ask-topic-example = дружба
ask-proverbs = пословицы на тему «{ $words }»
ask-proverbs-about = пословицы { $words }
ask-proverbs-example = дружба
ask-word = фразеологизмы со словом «{ $words }»
ask-word-example = рука
ask-synonyms = синонимы к «{ $words }»
ask-synonyms-example = бить баклуши
ask-opposite = антоним к «{ $words }»
ask-opposite-example = кот наплакал
ask-origin = происхождение «{ $words }»
ask-origin-example = бить баклуши
ask-meaning = что значит «{ $words }»
ask-meaning-example = собаку съесть
ask-ru = как по-русски «{ $words }»
ask-ru-example = break a leg
ask-en = как по-английски «{ $words }»
ask-en-example = ни пуха ни пера
topics-title = 🗂 На какую тему?

## Карточка идиомы

card-meaning-ru = <i>По-русски:</i> { $meaning }
card-meaning-en = <i>По-английски:</i> { $meaning }
card-equivalents-en = <b>По-английски говорят</b>
card-equivalents-ru = <b>По-русски говорят</b>
card-found = ≈ { $value } <i>— найдено по смыслу</i>
card-variants = <b>Варианты:</b> { $value }
card-literal = <i>Дословно:</i> { $value }
card-opposites = <b>Наоборот:</b> { $value }
card-examples = <b>{ $count ->
        [one] Пример
       *[other] Примеры
    }</b>
    <blockquote expandable>{ $value }</blockquote>
card-usage = <b>Употребление</b>
    <blockquote expandable>{ $value }</blockquote>
card-origin = <b>Происхождение</b>
    <blockquote expandable>{ $value }</blockquote>
card-topics = <b>Темы:</b> { $value }
card-source = <a href="{ $address }">Источник</a>
card-similar = <b>Похожие</b>
kind-idiom = идиома
kind-proverb = пословица
kind-quotation = крылатое выражение
register-bookish = книжное
register-colloquial = разговорное
register-dated = устаревшее
register-vulgar = грубое

## Кнопки

button-back = ← Назад
button-earlier = ← Раньше
button-more = Ещё →
button-random = 🎲 Случайная
button-similar = ≈ Похожие
button-more-similar = ≈ Ещё похожие
button-why = 💡 Почему
button-why-not = 💡 Скрыть
button-exact = Искать точно: { $query }
button-nearest = Показать ближайшие
button-repaired = ✏️ Искал: { $searched }
button-show-ru = 🌐 Показать русские
button-show-en = 🌐 Показать английские
button-always-ru = 📌 Всегда русские
button-always-en = 📌 Всегда английские
button-always-own = 📌 Всегда на языке запроса
button-save = ☆ Сохранить
button-saved = ★ Сохранено
button-copy = 📋 Идиома
button-copy-meaning = 📋 Со значением
button-share = ↗ Поделиться
button-wrong = ⚠️ Неточность
button-fixed = ✅ Исправлено
button-kept = 👌 Всё верно
button-open = Открыть
button-start = Открыть в боте
button-ask = Ничего близкого. Спросить бота?
button-try-inline = ↗ Попробовать в другом чате
button-quiz = Ещё вопрос
button-quiz-open = 📖 Об идиоме
button-score = 🏅 Счёт
button-export = ⬇ Скачать
button-forget = 🗑 Стереть всё
button-erase = 🗑 Очистить
button-sure = Да, стереть
button-not-sure = Оставить
button-daily = 🌅 Идиома дня
button-daily-stop = 🔕 Не присылать
button-zone = 🌍 Часовой пояс

## История и сохранённое

history-title = <b>Вы искали и открывали</b>
history-exact = { $query } (точно)
history-empty = Здесь появится то, что вы искали и открывали. Пока пусто: напишите мне что-нибудь.
saved-title =
    ★ <b>{ $count ->
        [one] { $count } сохранённая идиома
        [few] { $count } сохранённые идиомы
       *[other] { $count } сохранённых идиом
    }</b>
anki-deck = Идиомы
saved-empty = Здесь будут идиомы, которые вы сохраните: откройте любую и нажмите «☆ Сохранить».

## Настройки

settings =
    ⚙️ <b>Настройки</b>

    Язык бота: { $language }
    Ищу идиомы: { $idioms }
    Идиома дня: { $daily }
language = Русский
language-auto = как в Telegram
scope-all = на языке запроса
scope-ru = русские
scope-en = английские
# The language of the collection in which its readers are told what idioms mean.
reads = ru
# The time zone of those who have not chosen one.
home-zone = Europe/Moscow
daily-never = не приходит
daily-title = 🌅 <b>Идиома дня</b> (изменить: /daily)
daily-on = 🌅 Идиома дня приходит в <b>{ $time }</b>.
daily-what = Напишите, в какое время каждый день присылать идиому: <code>/daily 8:30</code>, <code>/daily 8 утра</code>, <code>/daily полдень</code>.
daily-off = 🌅 Хотите каждый день получать по идиоме? Выберите час.
daily-zone = Ваше время: { $place }. Если это не так, нажмите «Часовой пояс».
zones-title = Где вы? Выберите город с вашим временем. Если его тут нет, напишите: <code>/daily 9 Asia/Tbilisi</code>

## Повторение

learn-empty =
    🧠 Сохраняйте идиомы, которые хотите запомнить: откройте любую и нажмите «☆ Сохранить». Я буду напоминать о них через растущие промежутки, пока не запомнятся.
learn-paused = 🧠 Повторение на паузе.
learn-left =
    🧠 { $count ->
        [one] Осталась { $count } идиома
        [few] Осталось { $count } идиомы
       *[other] Осталось { $count } идиом
    }
learn-meaning =
    <b>{ $phrase }</b>

    Что это значит?
learn-which = Какая это идиома?
learn-which-ru = Как это сказать русской идиомой?
learn-which-en = Как это сказать английской идиомой?
learn-gap =
    <i>{ $example }</i>

    Вставьте идиому: { $meaning }
learn-done = 🎉 Пока всё.
learn-next = Следующая — { $span }
learn-tomorrow = Новые идиомы будут завтра.
learn-streak =
    🔥 Без пропусков: { $days ->
        [one] { $days } день
        [few] { $days } дня
       *[other] { $days } дней
    }
learn-waiting =
    🧠 { $count ->
        [one] { $count } идиома ждёт повторения: /learn
        [few] { $count } идиомы ждут повторения: /learn
       *[other] { $count } идиом ждут повторения: /learn
    }
learn-plan =
    🧠 <b>Повторение</b>

    Новых идиом в день: { $pace }. Беру их из сохранённых: сначала те, что сохранены раньше.
grade-again = Не знаю
grade-hard = Трудно
grade-good = Помню
grade-easy = Легко
button-learn = 🧠 Повторять
button-reveal = Показать ответ
button-ungrade = ↶ Изменить оценку
button-plan = ⚙️ Повторение
button-pause = ⏸ Пауза
button-resume = ▶️ Продолжить
button-reset = 🗑 Начать заново
sure-learning = Забыть, как хорошо вы помните сохранённые идиомы? Сами они останутся в сохранённом.
erased-learning = Готово: повторение начнётся заново. /learn
command-learn = повторить сохранённое

## Викторина

quiz-question = Что значит «{ $phrase }»?
quiz-which = Какая идиома значит «{ $meaning }»?
quiz-gap = Какая идиома подходит? { $example }
quiz-score =
    { $asked ->
        [0] —
       *[other] { $correct } из { $asked }
    }
quiz-scores =
    Верных ответов
    на этой неделе: { $this }
    на прошлой: { $last }
    всего: { $ever }
quiz-impossible = Для викторины не хватает идиом. Выберите в /settings «На языке запроса».

## Отзывы

report-ask = Что не так с «<b>{ $phrase }</b>»?
fault-translation = Перевод
fault-spelling = Опечатка
fault-meaning = Не то значение
fault-origin = Происхождение
fault-other = Другое
report-comment = Можете пояснить в двух словах? Ответьте на это сообщение. А если нечего добавить, просто пишите дальше.
report-placeholder = Что именно не так
report-thanks = Спасибо! Передам редакторам.
report-fixed = ✅ «<b>{ $phrase }</b>»: вы сообщили о неточности, её исправили. Спасибо!
report-kept = 👌 «<b>{ $phrase }</b>»: редакторы посмотрели ваше замечание и решили оставить как есть. Спасибо, что написали.

## Личные данные

privacy =
    <b>Что я о вас помню</b>

    • Ваш идентификатор в Telegram (не телефон), язык, часовой пояс и час идиомы дня.
    • Что вы искали и открывали: для вашей истории и кнопки «Назад», не дольше полугода. Стереть: /history
    • Сохранённые идиомы, как хорошо вы их помните, ответы викторины и ваши оценки 👍 👎 вместе с запросом, к которому они относятся.
    • Если вы нажали «⚠️ Неточность», администраторы видят ваше пояснение и ваш идентификатор.

    Больше ничего, и никому этого не передаю. Чем больше людей выбрали идиому, тем раньше она в ответах; кто её выбрал, роли не играет. Всё это можно скачать (/export) или стереть (/forget).
sure-history = Стереть всю историю? Кнопки «Назад» в старых сообщениях перестанут работать.
sure-all = Стереть всё: историю, сохранённое, оценки, счёт и настройки? Вернуть будет нельзя.
sure-saved = Стереть всё сохранённое? Вернуть будет нельзя.
erased-history = Готово: история пуста.
erased-saved = Готово: сохранённого больше нет.
erased-all = Готово: я ничего о вас не помню.
erased-nothing = Хорошо, всё осталось как было.

## Для администраторов

report = ⚠️ { $fault }: сообщил пользователь { $user }
report-commented = ⚠️ Пояснение к «<b>{ $phrase }</b>»: { $comment }
reports-none = Замечаний, которые ждут ответа, нет.
reports-title = ⚠️ <b>{ $phrase }</b> ({ $page } из { $pages })
stats =
    <b>За 30 дней</b>
    Людей: { $people }
    Запросов: { $queries }, сегодня { $today }
    Ответ: { $median } мс, 99 % быстрее { $slow } мс
stats-top = Чаще всего открывали:

## Короткие ответы

notice-old-button = Эта кнопка из старой версии. Повторите вопрос, и появятся новые.
notice-phrase-gone = Этой идиомы больше нет в собрании.
notice-step-gone = Сюда уже не вернуться: этот шаг стёрт. Задайте вопрос ещё раз.
notice-error = Что-то сломалось, и это наша вина. Попробуйте ещё раз.
notice-overtaken = Секунду: вы пишете быстрее, чем мне разрешено отвечать. Отвечу на последние сообщения.
notice-state = Сейчас мне не добраться до того, что я помню: неполадка с хранилищем. Попробуйте, пожалуйста, позже.
report-state = ⚠️ Состояние не читается или не пишется: поиск работает, но без истории, и ничего не сохраняется. Причина: { $reason }. Проверьте диск и журнал.
notice-unknown-command = Такой команды нет. Все команды — в /help, а идиому ищите просто словами: опишите, что хотите сказать.
notice-not-text = Я понимаю только текст. Опишите словами, что хотите сказать.
notice-only-private = Это личное. Напишите мне в личные сообщения, и я отвечу там.
notice-export-cut = Всё в один файл не поместилось: в нём самое новое. Не хватает старых записей очень длинной истории.
notice-scope-ru = Теперь всегда ищу русские идиомы. Изменить: /settings
notice-scope-en = Теперь всегда ищу английские идиомы. Изменить: /settings
notice-scope-own = Теперь ищу идиомы на языке запроса. Изменить: /settings
notice-saved = ★ Сохранено. Все: /saved, повторять: /learn
notice-unsaved = Больше не в сохранённом.
notice-vote-up = Спасибо! Рад, что подошло.
notice-vote-down = Спасибо, учту.
notice-reported = ⚠️ Спасибо! Редакторы посмотрят эту статью.
notice-reports-many = На сегодня замечаний достаточно, спасибо! Остальное присылайте завтра.
notice-only-admins = Это могут только администраторы.
notice-answered =
    { $count ->
        [0] Отвечать некому.
        [one] Ответ отправлен { $count } человеку.
       *[other] Ответ отправлен { $count } людям.
    }
notice-vote-back = Оценка снята.

## Меню команд

command-random = случайная идиома
command-topic = идиомы по темам
command-quiz = угадать значение
command-daily = идиома дня
command-saved = сохранённые идиомы
command-history = что вы искали
command-settings = настройки
command-privacy = что я о вас помню
command-help = как пользоваться

## Темы

topic-anger = гнев
topic-animals = животные
topic-appearance = внешность
topic-attention = внимание
topic-body = тело
topic-character = характер
topic-clothes = одежда
topic-colours = цвета
topic-conflict = ссоры
topic-danger = опасность
topic-death = смерть
topic-deception = обман
topic-difficulty = трудности
topic-ease = лёгкость
topic-emotion = чувства
topic-failure = неудача
topic-family = семья
topic-fear = страх
topic-food = еда
topic-friendship = дружба
topic-health = здоровье
topic-home = дом
topic-idleness = безделье
topic-intellect = ум
topic-joy = радость
topic-justice = справедливость
topic-law = закон
topic-life = жизнь
topic-love = любовь
topic-luck = удача
topic-money = деньги
topic-nature = природа
topic-numbers = числа
topic-people = люди
topic-place = места
topic-poverty = бедность
topic-power = власть
topic-pride = гордость
topic-quantity = количество
topic-religion = вера
topic-sadness = грусть
topic-secrecy = тайны
topic-similarity = сходство
topic-speech = речь
topic-speed = скорость
topic-success = успех
topic-surprise = удивление
topic-time = время
topic-travel = дорога
topic-truth = правда
topic-uselessness = бесполезность
topic-war = война
topic-wealth = богатство
topic-weather = погода
topic-work = работа

### Открытка

button-picture = 🖼 Открытка
picture-in-en = По-английски
picture-in-ru = По-русски
