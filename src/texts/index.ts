// Decision 0220: one file per language, merged once; a phrase is data in every language, so it can be stored and sent as it is.
import { IntlMessageFormat } from 'intl-messageformat'
import en from './en.json' with { type: 'json' }
import pt from './pt.json' with { type: 'json' }

const catalogues = { en, pt }

/** The languages of Stoa's own pages: those that have a catalogue. */
export type Language = keyof typeof catalogues

/** The language whose catalogue declares the keys, and every other one. */
export const languages = Object.keys(catalogues) as Language[]

/** The locales whose rules of plurals hold for the texts of a language. */
const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', pt: 'pt-PT' }

/** Something for every language. */
type InAll<T> = { readonly [language in Language]: T }

/** A sentence in every language. */
export type Phrase = InAll<string>

const inAll = <T>(make: (language: Language) => T): InAll<T> => ({ en: make('en'), pt: make('pt') })

/** What a function writes in every language. */
export const inEach = (write: (language: Language) => string): Phrase => inAll(write)

/** The keys of a catalogue with a phrase at each. */
type Texts<Catalogue> = {
  readonly [Key in keyof Catalogue]: Catalogue[Key] extends string ? Phrase : Texts<Catalogue[Key]>
}

/** A part of a catalogue. */
type Part = { readonly [key: string]: string | Part }
type Merged = { readonly [key: string]: Phrase | Merged }

// A part that has only links is in the English catalogue alone.
const partOf = (part: Part, key: string, language: Language): Part => {
  const inner = part[key] ?? {}
  if (typeof inner === 'object') return inner
  throw new Error(`The texts of ${language} have no part ${key}`)
}

const sentenceOf = (part: Part, key: string, language: Language): string => {
  const sentence = part[key]
  if (typeof sentence === 'string') return sentence
  throw new Error(`The texts of ${language} have no sentence ${key}`)
}

// Decision 0216: an English text such as `@:words.save` is the text of another key, in every language.
const LINK = '@:'

const linkedSentence = (link: string, language: Language): string => {
  const names = link.slice(LINK.length).split('.')
  const part = names.slice(0, -1).reduce((inner: Part, key) => partOf(inner, key, language), catalogues[language])
  return sentenceOf(part, names.at(-1) ?? '', language)
}

const phraseAt = (parts: InAll<Part>, key: string, english: string): Phrase =>
  inAll(language =>
    english.startsWith(LINK) ? linkedSentence(english, language) : sentenceOf(parts[language], key, language),
  )

const mergeParts = (parts: InAll<Part>): Merged =>
  Object.fromEntries(Object.entries(parts.en).map(([key, value]) => [key, mergeAt(parts, key, value)]))

const mergeAt = (parts: InAll<Part>, key: string, english: string | Part): Phrase | Merged =>
  typeof english === 'string'
    ? phraseAt(parts, key, english)
    : mergeParts(inAll(language => partOf(parts[language], key, language)))

/** Every text of the catalogues in every language, by its key. */
export const texts = mergeParts(catalogues) as Texts<typeof en>

// Messages with a choice of plural or by a word; only they need rules.
const CHOICE = /\{\w+, (?:plural|selectordinal|select),/

// By language and message. Bounded by the catalogues: a phrase from elsewhere is never read as a choice.
const choices = new Map<string, IntlMessageFormat | undefined>()

const keyOf = (language: Language, message: string): string => `${language} ${message}`

const noteChoices = (language: Language, part: Part): void => {
  for (const value of Object.values(part)) {
    if (typeof value !== 'string') noteChoices(language, value)
    else if (value.includes('{') && CHOICE.test(value)) choices.set(keyOf(language, value), undefined)
  }
}

for (const language of languages) noteChoices(language, catalogues[language])

const choiceOf = (language: Language, message: string): IntlMessageFormat | undefined => {
  const key = keyOf(language, message)
  if (!choices.has(key)) return undefined
  const known = choices.get(key)
  if (known) return known
  const read = new IntlMessageFormat(message, LOCALES[language], undefined, { ignoreTag: true })
  choices.set(key, read)
  return read
}

/** A phrase in a language with its `{names}` replaced and its choices made; the result is not escaped for HTML. */
export const fill = (
  phrase: Phrase,
  language: Language,
  values: Readonly<Record<string, string | number>> = {},
): string => {
  const message = phrase[language]
  if (!message.includes('{')) return message
  const choice = CHOICE.test(message) ? choiceOf(language, message) : undefined
  if (choice) return String(choice.format(values))
  return message.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
}
