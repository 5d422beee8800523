import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { formatInput } from '#src/kit/format.ts'
import { readPercent, readWhole } from '#src/kit/typed-numbers.ts'

/** One setting of a form; `path` is where it is in the part of the settings, such as `address.city`. */
export type Field = {
  readonly path: string
  readonly label: Phrase
  readonly hint?: Phrase
} & (
  | { readonly kind: 'line' | 'lines'; readonly max: number; readonly isOptional?: boolean }
  | { readonly kind: 'number' | 'check' | 'country' | 'zone' | 'language' | 'currency' }
  /** A page of the school, or none. */
  | { readonly kind: 'page' }
  /** Several languages, each with a box. */
  | { readonly kind: 'languages' }
  /** Numbers, separated by spaces or commas. */
  | { readonly kind: 'numbers' }
  /** One rate of tax on each line: country, percentage and name, separated by bars. */
  | { readonly kind: 'rates' }
  | { readonly kind: 'choice'; readonly choices: readonly (readonly [value: string, label: Phrase])[] }
)

/** The values of a form by the paths of its fields, as they are typed. */
export type Values = Readonly<Record<string, string>>

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const valueAt = (settings: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), settings)

const rateLine = (rate: unknown, language: Language): string => {
  if (!isObject(rate)) return ''
  const [country, percent, name] = [rate.country, rate.percent, rate.name].map(part => String(part ?? ''))
  return [country, formatInput(percent ?? '', language), name].join(' | ')
}

const shown = ({ kind }: Field, value: unknown, language: Language): string => {
  if (value === null || value === undefined) return ''
  if (kind === 'check') return value === true ? 'yes' : ''
  if (kind === 'rates') return Array.isArray(value) ? value.map(rate => rateLine(rate, language)).join('\n') : ''
  return Array.isArray(value) ? value.join(', ') : String(value)
}

/** The values of a form for stored settings. */
export const buildValues = (fields: readonly Field[], settings: unknown, language: Language): Values =>
  Object.fromEntries(fields.map(field => [field.path, shown(field, valueAt(settings, field.path), language)]))

const valueIn = ({ kind, path }: Field, form: Pairs): string => {
  const boxes = form.filter(([name]) => name === path).map(([, value]) => value)
  return kind === 'languages' ? boxes.join(', ') : formField(form, path).replaceAll('\r\n', '\n')
}

/** The values of a form that was sent. */
export const valuesIn = (fields: readonly Field[], form: Pairs): Values =>
  Object.fromEntries(fields.map(field => [field.path, valueIn(field, form)]))

const describe = (field: Field, value: string, language: Language): string => {
  const choice = field.kind === 'choice' ? field.choices.find(([one]) => one === value)?.[1] : undefined
  if (choice !== undefined) return fill(choice, language)
  return field.kind === 'check' && value === 'yes' ? '✓' : value.trim()
}

/** The fields in which what was typed differs from what is stored, as people read both. */
export const differencesIn = (
  fields: readonly Field[],
  typed: Pairs,
  { stored, language }: { readonly stored: Values; readonly language: Language },
): { readonly label: string; readonly mine: string; readonly theirs: string }[] =>
  fields.flatMap(field => {
    const [mine, theirs] = [valueIn(field, typed), stored[field.path] ?? ''].map(one => describe(field, one, language))
    if (mine === undefined || theirs === undefined || mine === theirs) return []
    return [{ label: fill(field.label, language), mine, theirs }]
  })

// What is not a number is left for the operation to refuse.
const numberIn = (text: string): number | string => readWhole(text, 9) ?? text

/** The words of a value, such as the languages that are chosen. */
export const wordsIn = (text: string): string[] => text.split(/[\s,;]+/).filter(word => word !== '')

const rateIn = (line: string, language: Language): unknown => {
  const [country = '', percent = '', ...name] = line.split('|').map(part => part.trim())
  return {
    country: country.toUpperCase(),
    // What is not a number is left for the operation to refuse.
    percent: readPercent(percent, language) ?? percent,
    name: name.join(' '),
  }
}

const linesIn = (text: string): string[] => text.split('\n').filter(line => line.trim() !== '')

const read = (field: Field, text: string, language: Language): unknown => {
  switch (field.kind) {
    case 'check':
      return text === 'yes'
    case 'number':
      return numberIn(text)
    case 'languages':
      return wordsIn(text)
    case 'numbers':
      return wordsIn(text).map(numberIn)
    case 'rates':
      return linesIn(text).map(line => rateIn(line, language))
    case 'country':
    case 'page':
      return text === '' ? null : text
    case 'line':
      return text.trim() === '' && field.isOptional === true ? null : text.trim()
    case 'lines':
      return text.trim() === '' && field.isOptional === true ? null : text
    case 'choice':
      return text === '' ? null : text
    default:
      return text
  }
}

type Tree = { [name: string]: unknown }

const store = (tree: Tree, [name = '', ...rest]: readonly string[], value: unknown): void => {
  if (rest.length === 0) {
    tree[name] = value
    return
  }
  const below: Tree = isObject(tree[name]) ? { ...tree[name] } : {}
  store(below, rest, value)
  tree[name] = below
}

/** Settings with others in their place; what the others do not name stays. */
export const merged = (stored: unknown, changes: Tree): Tree => ({
  ...(isObject(stored) ? stored : {}),
  ...Object.fromEntries(
    Object.entries(changes).map(([name, value]) => {
      const before = isObject(stored) ? stored[name] : undefined
      return [name, isObject(before) && isObject(value) ? { ...before, ...value } : value]
    }),
  ),
})

/** The settings that these values mean, as the operation takes them. */
export const readSettings = (fields: readonly Field[], values: Values, language: Language): Tree => {
  const tree: Tree = {}
  for (const field of fields) store(tree, field.path.split('.'), read(field, values[field.path] ?? '', language))
  return tree
}

/** Whether nothing is typed in the fields whose paths begin so. */
export const isBlank = (values: Values, start: string): boolean =>
  Object.entries(values).every(([path, value]) => !path.startsWith(start) || value.trim() === '')
