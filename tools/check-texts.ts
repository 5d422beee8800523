import { IntlMessageFormat } from 'intl-messageformat'
import { languages, toTag } from '#src/kit/locale.ts'
import { lineAt, only, tokens } from './source.ts'
import { filesUnder, readText, report, type Violation } from './violations.ts'

/** A part of a catalogue: sentences and parts by their keys. */
type Part = { readonly [key: string]: string | Part }
type Sources = readonly { readonly path: string; readonly text: string }[]
type Code = { readonly path: string; readonly code: string }
type Element = ReturnType<IntlMessageFormat['getAst']>[number]

// Declares the languages, and has no sentence.
const DECLARATION = 'src/kit/locale.ts'

/** How an English text starts that is the text of another key; the other catalogues have no such key. */
const LINK = '@:'

const locateFile = (language: string): string => `src/texts/${language}.json`

/** Checks the catalogues and where they are used; empty when there is no violation. */
export const checkTexts = (root: string): Violation[] => {
  const catalogues = languages.map(language => ({
    language,
    sentences: listSentences(JSON.parse(readText(root, locateFile(language)))),
  }))
  const english = catalogues[0]?.sentences ?? []
  const links = linksIn(english)
  const keys = new Map(english.filter(([key]) => !links.has(key)))
  const sources = filesUnder(root, 'src')
    .filter(path => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.startsWith('src/texts/'))
    .map(path => ({ path, text: readText(root, path) }))
  return [
    ...catalogues.flatMap(({ language, sentences }) =>
      violationsOfLanguage(language, language === 'en' ? [...keys] : sentences, keys),
    ),
    ...faultsOfLinks(links, keys).map(fault => violation('en', fault)),
    ...repeatsIn(
      keys,
      catalogues.slice(1).map(({ sentences }) => new Map(sentences)),
    ).map(fault => violation('en', fault)),
    ...unusedKeys([...keys.keys(), ...links.keys()], sources, links).map(key =>
      violation('en', `nothing uses the text ${key}`),
    ),
    ...sources.flatMap(outsideOfCatalogues),
  ]
}

const violation = (language: string, message: string): Violation => ({ file: locateFile(language), line: 1, message })

/** Every sentence of a part by its whole key, such as `staff.coupons.list.title`. */
export const listSentences = (part: Part, above = ''): [string, string][] =>
  Object.entries(part).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[above + key, value]] : listSentences(value, `${above}${key}.`),
  )

/** The key that each link of the English sentences leads to. */
export const linksIn = (english: readonly [string, string][]): Map<string, string> =>
  new Map(english.filter(([, text]) => text.startsWith(LINK)).map(([key, text]) => [key, text.slice(LINK.length)]))

/** The links that lead to no sentence, such as to another link. */
export const faultsOfLinks = (links: ReadonlyMap<string, string>, keys: ReadonlyMap<string, string>): string[] =>
  [...links].filter(([, target]) => !keys.has(target)).map(([key, target]) => `${key} links to no sentence: ${target}`)

/** The keys whose sentence an earlier key has too, in every language. */
export const repeatsIn = (
  english: ReadonlyMap<string, string>,
  others: readonly ReadonlyMap<string, string>[],
): string[] => {
  const said = Map.groupBy(english.keys(), key => JSON.stringify([english, ...others].map(one => one.get(key))))
  return [...said.values()].flatMap(([first, ...repeats]) => repeats.map(key => `${key} repeats ${first}`))
}

const violationsOfLanguage = (
  language: string,
  sentences: readonly [string, string][],
  keys: ReadonlyMap<string, string>,
): Violation[] => {
  const own = new Map(sentences)
  return [
    ...[...keys.keys()].filter(key => !own.get(key)).map(key => `the text ${key} is missing`),
    ...sentences.filter(([key]) => !keys.has(key)).map(([key]) => `English has no text ${key}`),
    ...[...linksIn(sentences).keys()].map(key => `the link ${key} belongs in the English catalogue`),
    ...sentences.flatMap(([key, sentence]) =>
      listFaults(sentence, keys.get(key) ?? sentence, toTag(language)).map(fault => `${key}: ${fault}`),
    ),
  ].map(message => violation(language, message))
}

/** What is wrong with a sentence of a locale, beside the English one. */
export const listFaults = (sentence: string, english: string, locale: string): string[] => {
  if (!sentence.includes('{') && !english.includes('{')) return []
  try {
    const elements = parseElements(sentence)
    const own = formatArguments(elements)
    const expected = formatArguments(parseElements(english))
    return [
      ...(own === expected ? [] : [`it fills in ${own || 'nothing'}, and English ${expected || 'nothing'}`]),
      ...elements.flatMap(element => faultsOfPlural(element, locale)),
      ...(isPlain(elements) && textFrom(elements) !== sentence ? ['a quote before a brace is not for names'] : []),
    ]
  } catch (error) {
    return [`it is no message of ICU: ${String(error)}`]
  }
}

const parseElements = (sentence: string): Element[] =>
  new IntlMessageFormat(sentence, 'en', undefined, { ignoreTag: true }).getAst()

const listInner = (element: Element): Element[] =>
  'options' in element
    ? Object.values(element.options).flatMap(({ value }) => [element, ...value.flatMap(listInner)])
    : [element]

const formatArguments = (elements: readonly Element[]): string => {
  const names = elements
    .flatMap(listInner)
    .flatMap(element => (element.type === 0 || !('value' in element) ? [] : [String(element.value)]))
  return [...new Set(names)].sort().join(', ')
}

const isPlain = (elements: readonly Element[]): boolean => elements.every(({ type }) => type === 0 || type === 1)

const textFrom = (elements: readonly Element[]): string =>
  elements
    .map(element => ('value' in element ? (element.type === 1 ? `{${element.value}}` : element.value) : ''))
    .join('')

// The categories of whole numbers that people read: a million is a category of its own in Portuguese, written like the others.
const listCategories = (locale: string): Set<string> => {
  const rules = new Intl.PluralRules(locale)
  return new Set(Array.from({ length: 1000 }, (_, n) => rules.select(n)))
}

const faultsOfPlural = (element: Element, locale: string): string[] => {
  if (!('pluralType' in element)) return []
  const own = Object.keys(element.options)
  const known: readonly string[] = new Intl.PluralRules(locale).resolvedOptions().pluralCategories
  return [
    ...[...listCategories(locale)]
      .filter(category => !own.includes(category))
      .map(category => `the plural ${category} is missing`),
    ...own.filter(name => !known.includes(name) && !/^=\d+$/.test(name)).map(name => `${locale} has no plural ${name}`),
  ]
}

/** A name of a file for a part of the catalogues: `text` for `staff.coupons.list`. */
type Alias = { readonly name: string; readonly key: string; readonly isExported: boolean; readonly path: string }

const ALIAS = /^(export )?const (\w+)(?:: [^=\n]+)? = texts((?:\.\w+)+)$/gm
// No property, key or type of that name.
const START = String.raw`(?<!(?<!\.\.)\.|\w|typeof )`
const CHAIN = String.raw`\b(?!:)((?:\s*\??\.\w+)*)`

/** The keys that no source can reach: neither by its whole name, nor through a name for a part of the catalogues, nor by a link that is used. */
export const unusedKeys = (
  keys: readonly string[],
  sources: Sources,
  links: ReadonlyMap<string, string> = new Map(),
): string[] => {
  const read = sources.map(({ path, text }) => ({ path, code: only(['code'], tokens(text)) }))
  const aliases = read.flatMap(listAliases)
  const used = new Set(read.flatMap(source => usedIn(source, aliases)))
  // What is used below a sentence, such as its length, uses the sentence.
  const above = new Set([...used].flatMap(listBeginnings))
  const isUsed = (key: string): boolean => above.has(key) || listBeginnings(key).some(beginning => used.has(beginning))
  const linked = new Set([...links].filter(([key]) => isUsed(key)).map(([, target]) => target))
  return keys.filter(key => !isUsed(key) && !linked.has(key))
}

const listBeginnings = (key: string): string[] => {
  const parts = key.split('.')
  return parts.map((_, at) => parts.slice(0, at + 1).join('.'))
}

const listAliases = ({ path, code }: Code): Alias[] =>
  [...code.matchAll(ALIAS)].map(([, exported, name = '', key = '']) => ({
    name,
    key: key.slice(1),
    isExported: exported !== undefined,
    path,
  }))

const usedIn = ({ path, code }: Code, aliases: readonly Alias[]): string[] => {
  const body = code.replace(/^import [^;]*? from .*$/gm, '').replace(ALIAS, '')
  const readable = aliases.filter(alias => isReadable(alias, path, code))
  const renamed = readable.flatMap(({ name, key }) =>
    [...code.matchAll(new RegExp(String.raw`\b${name} as (\w+)`, 'g'))].map(([, as = '']) => ({ name: as, key })),
  )
  const names = [{ name: 'texts', key: '' }, ...readable, ...renamed]
  return names.flatMap(({ name, key }) =>
    [...body.matchAll(new RegExp(`${START}${name}${CHAIN}`, 'g'))]
      .map(([, chain = '']) => `${key}${chain.replace(/[?\s]/g, '')}`.replace(/^\./, ''))
      .filter(whole => whole !== ''),
  )
}

const isReadable = ({ name, isExported, path }: Alias, from: string, code: string): boolean =>
  (isExported || path === from) && code.includes(name)

const outsideOfCatalogues = ({ path, text }: Sources[number]): Violation[] =>
  path === DECLARATION
    ? []
    : tokens(text)
        .filter(({ kind, text: part }) => kind === 'code' && /\{\s*en:\s*$/.test(part))
        .map(({ at, text: part }) => ({
          file: path,
          line: lineAt(text, at + part.length),
          message: 'a sentence belongs in the catalogues of src/texts',
        }))

if (import.meta.main)
  report('texts: every text is said once, every one is used, and every language has it', checkTexts(process.cwd()))
