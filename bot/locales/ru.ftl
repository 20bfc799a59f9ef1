### Тексты бота. Всё внутри { $... } подставляет программа; <b>, <i> и другие теги — разметка Telegram.

## Знакомство

start =
    Привет! Я нахожу идиомы по смыслу: напишите своими словами, что хотите сказать, а я подберу пословицы и крылатые выражения.

    Например:
    • <code>ничего не делать весь день</code>
    • <code>бояться собственной тени</code>
    • <code>to be very happy</code>

    Понимаю и русский, и английский.
help =
    <b>Как искать</b>
    Напишите мысль обычными словами: <code>обмануть доверчивого человека</code>. Или начало идиомы, если забыли, как она кончается: <code>как снег на</code>.

    Кнопка с номером открывает идиому: значение, пример, происхождение и похожие. «← Назад» возвращает на шаг назад, сколько угодно раз.

    <b>В любом чате</b>
    Наберите <code>@{ $bot } ничего не делать</code> и выберите карточку.

    <b>Команды</b>
    /random — случайная идиома
    /help — эта подсказка

## Ответы

results-title = 🔎 <b>{ $query }</b>
similar-title = ≈ Похожие на «<b>{ $phrase }</b>»
nothing-found =
    На «{ $query }» близких по смыслу идиом не нашлось.

    Попробуйте сказать иначе: опишите человека, чувство или случай, для которого нужна идиома.

## Карточка идиомы

card-meaning-ru = По-русски: { $meaning }
card-meaning-en = По-английски: { $meaning }
card-equivalents = <b>Соответствия:</b> { $value }
card-variants = <b>Варианты:</b> { $value }
card-example = <b>Пример:</b> <i>{ $value }</i>
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
button-similar = ≈ Все похожие

## Короткие ответы

notice-old-button = Эта кнопка из старой версии. Повторите вопрос, и появятся новые.
notice-phrase-gone = Этой идиомы больше нет в собрании.
notice-step-gone = Сюда уже не вернуться: этот шаг стёрт. Задайте вопрос ещё раз.
notice-error = Что-то сломалось, и это наша вина. Попробуйте ещё раз.
notice-unknown-command = Такой команды нет. Все команды перечислены в /help, а идиому можно искать просто словами.
notice-not-text = Я понимаю только текст. Опишите словами, что хотите сказать.

## Меню команд

command-random = случайная идиома
command-help = как пользоваться

## Терминал

terminal-hint = Номер открывает идиому, буква нажимает кнопку, пустая строка — выход.

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
topic-intellect = ум и глупость
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
topic-work = труд
