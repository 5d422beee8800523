import { fill, type Language } from '#src/contract/language.ts'
import { countryCodes } from '#src/kit/countries.ts'
import { toTag } from '#src/kit/locale.ts'
import type { Choice } from '#src/web/page/index.ts'
import { type Field, wordsIn } from './fields.ts'
import type { SchoolPage } from './parts.ts'
import { settingsText as text } from './text.ts'

// Languages in which schools teach; a school keeps another one that it has already.
const languageTags =
  'ar bg bn ca cs cy da de de-AT de-CH el en en-GB en-US es es-MX et eu fa fi fr fr-CA ga gl gu he hi hr hu hy id is it ja ka ko ' +
  'lt lv mk ml mr ms mt nb nl pa pl pt pt-BR pt-PT ro ru sk sl sq sr sv sw ta te th tl tr uk ur vi zh zh-Hans zh-Hant'

// A form may send what is no code.
const findName = (names: Intl.DisplayNames, code: string): string | undefined => {
  try {
    return names.of(code)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const named = (
  codes: Iterable<string>,
  language: Language,
  { type, label }: { readonly type: Intl.DisplayNamesType; readonly label: (name: string, code: string) => string },
): Choice[] => {
  const names = new Intl.DisplayNames([toTag(language)], { type, languageDisplay: 'standard' })
  const choices = [...codes].flatMap(value => {
    const name = findName(names, value)
    return name === undefined ? [] : [{ value, label: label(name, value) }]
  })
  return choices.sort((one, other) => one.label.localeCompare(other.label, language))
}

const nameOnly = (name: string): string => name

/** The languages that a form offers, and those that are chosen already. */
export const languageChoices = (value: string, language: Language): Choice[] =>
  named(new Set([...wordsIn(languageTags), ...wordsIn(value)]), language, { type: 'language', label: nameOnly })

const currencies = (value: string, language: Language): Choice[] =>
  named(new Set([...Intl.supportedValuesOf('currency'), value]), language, {
    type: 'currency',
    label: (name, code) => `${name} (${code})`,
  })

// The stored zone may have a name that this list has no more.
const zones = (value: string): Choice[] =>
  [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), value])].map(zone => ({ value: zone, label: zone }))

const pageChoices = (value: string, pages: readonly SchoolPage[], language: Language): Choice[] => {
  const choices = pages.map(({ id, title, status }) => ({
    value: id,
    label: status === 'published' ? title : fill(text.unpublished, language, { title }),
  }))
  const isListed = value === '' || choices.some(choice => choice.value === value)
  return isListed ? choices : [...choices, { value, label: value }]
}

/** What one can choose for a field; undefined for a field in which people type. */
export const listChoices = (
  field: Field,
  value: string,
  { language, pages }: { readonly language: Language; readonly pages: readonly SchoolPage[] },
): readonly Choice[] | undefined => {
  const none: Choice = { value: '', label: fill(text.none, language) }
  switch (field.kind) {
    case 'country':
      return [none, ...named(countryCodes, language, { type: 'region', label: nameOnly })]
    case 'page':
      return [none, ...pageChoices(value, pages, language)]
    case 'zone':
      return zones(value)
    case 'language':
      return languageChoices(value, language)
    case 'currency':
      return currencies(value, language)
    case 'choice':
      return field.choices.map(([key, phrase]) => ({ value: key, label: fill(phrase, language) }))
    default:
      return undefined
  }
}
