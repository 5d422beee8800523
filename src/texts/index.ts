// Decision 0220: one file per language, merged once; a phrase is data in every language, so it can be stored and sent as it is.
import { readFileSync } from 'node:fs'
import { IntlMessageFormat } from 'intl-messageformat'
import { type Language, languages, toTag } from '#src/kit/locale.ts'

type English = typeof import('./en.json', { with: { type: 'json' }})

const readCatalogue = (language: Language): Part =>
  JSON.parse(readFileSync(new URL(`${language}.json`, import.meta.url), 'utf8'))

/** Something for every language. */
type InAll<T> = { readonly [language in Language]: T }

/** A sentence in English and other languages: those of the catalogues, or those that existed when a row was written. */
export type Phrase = Partial<InAll<string>> & { readonly en: string }

const inAll = <T>(make: (language: Language) => T): InAll<T> =>
  Object.fromEntries(languages.map(language => [language, make(language)])) as InAll<T>

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
const getPart = (part: Part, key: string, language: Language): Part => {
  const inner = part[key] ?? {}
  if (typeof inner === 'object') return inner
  throw new Error(`The texts of ${language} have no part ${key}`)
}

const getSentence = (part: Part, key: string, language: Language): string => {
  const sentence = part[key]
  if (typeof sentence === 'string') return sentence
  throw new Error(`The texts of ${language} have no sentence ${key}`)
}

// Decision 0216: an English text such as `@:words.save` is the text of another key, in every language.
const LINK = '@:'

const linkedSentence = (link: string, language: Language): string => {
  const names = link.slice(LINK.length).split('.')
  const part = names.slice(0, -1).reduce((inner: Part, key) => getPart(inner, key, language), catalogues[language])
  return getSentence(part, names.at(-1) ?? '', language)
}

// Messages with a choice of plural or by a word; only they need rules.
const CHOICE = /\{\w+, (?:plural|selectordinal|select),/

// The phrases of the catalogues that have one. A phrase from elsewhere is never read as a choice.
const choices = new WeakMap<Phrase, Partial<Record<Language, IntlMessageFormat>>>()

const phraseAt = (parts: InAll<Part>, key: string, english: string): Phrase => {
  const phrase = inAll(language =>
    english.startsWith(LINK) ? linkedSentence(english, language) : getSentence(parts[language], key, language),
  )
  if (Object.values(phrase).some(message => CHOICE.test(message))) choices.set(phrase, {})
  return phrase
}

const mergeParts = (parts: InAll<Part>): Merged =>
  Object.fromEntries(Object.entries(parts.en).map(([key, value]) => [key, mergeAt(parts, key, value)]))

const mergeAt = (parts: InAll<Part>, key: string, english: string | Part): Phrase | Merged =>
  typeof english === 'string'
    ? phraseAt(parts, key, english)
    : mergeParts(inAll(language => getPart(parts[language], key, language)))

const catalogues = inAll(readCatalogue)

/** Every text of the catalogues in every language, by its key. */
export const texts = mergeParts(catalogues) as Texts<English>

/** The sentence of a phrase in a language, or in English where it was written before the language existed. */
export const sentenceIn = (phrase: Phrase, language: Language): string => phrase[language] ?? phrase.en

/** A phrase in a language with its `{names}` replaced and its choices made; the result is not escaped for HTML. */
export const fill = (
  phrase: Phrase,
  language: Language,
  values: Readonly<Record<string, string | number>> = {},
): string => {
  const message = sentenceIn(phrase, language)
  if (!message.includes('{')) return message
  const choice = choices.get(phrase)
  if (choice && CHOICE.test(message)) {
    choice[language] ??= new IntlMessageFormat(message, toTag(language), undefined, { ignoreTag: true })
    return String(choice[language].format(values))
  }
  return message.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
}

/** A phrase with its values in every language; a value may be a phrase itself. */
export const fillEach = (phrase: Phrase, values: Readonly<Record<string, string | number | Phrase>>): Phrase =>
  inEach(language =>
    fill(
      phrase,
      language,
      Object.fromEntries(
        Object.entries(values).map(([name, value]) => [
          name,
          typeof value === 'object' ? sentenceIn(value, language) : value,
        ]),
      ),
    ),
  )
