import fc, { type Arbitrary } from 'fast-check'
import { isLine, isVisible } from '#src/kit/text.ts'

/** The part of JSON Schema that our declarations use. */
export type Schema = {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly items?: Schema | readonly Schema[]
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly multipleOf?: number
}

// Each is one UTF-16 unit, one code point and one visible character, so that every way of counting agrees.
const LETTERS = [...`abcxyzABCXYZ0123456789 -_.,:;!?'"<>&%/\\()éßñçøŁżşİıΩЖאع王小明あ한ไ€→`]
const ASTRAL = ['🍞', '𝒮', '𠮷']
// A longer boundary value costs more than it finds.
const LONGEST = 20_000

/** Generates values that a schema accepts: often its boundary values, and sometimes its optional members. */
export const buildValid = (source: object): Arbitrary<unknown> => {
  const schema = source as Schema
  const choices = schema.anyOf ?? schema.oneOf
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (choices) return fc.oneof(...choices.map(buildValid))
  if (typeof schema.type === 'object') return fc.oneof(...schema.type.map(type => buildValid({ ...schema, type })))
  const make = schema.type === undefined ? undefined : MAKERS[schema.type]
  if (make) return make(schema)
  if (Object.keys(schema).length === 0) return fc.jsonValue()
  throw new Error(`no values are known for the schema ${JSON.stringify(schema)}`)
}

const readText = ({ minLength = 0, maxLength = Number.POSITIVE_INFINITY }: Schema): Arbitrary<string> => {
  const edges = [minLength, maxLength].filter(length => length <= LONGEST).map(length => 'é'.repeat(length))
  const letters = fc.constantFrom(...LETTERS)
  const within = { minLength, ...(Number.isFinite(maxLength) ? { maxLength } : {}) }
  return fc.oneof(
    { weight: 6, arbitrary: fc.string({ unit: letters, ...within }) },
    { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom(...ASTRAL), ...within }) },
    { weight: edges.length, arbitrary: fc.constantFrom('', ...edges).filter(text => fits(text, within)) },
  )
}

// Our own formats, which narrow what a length or a pattern allows.
const RULES: Record<string, (text: string) => boolean> = {
  line: isLine,
  words: text => text === '' || isVisible(text),
}

const fits = (
  text: string,
  { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format = '' }: Schema,
): boolean => {
  if (RULES[format]?.(text) === false) return false
  const length = [...text].length
  return length >= minLength && length <= maxLength && (!pattern || new RegExp(pattern, 'u').test(text))
}

const matchingPatterns = new Map<string, Arbitrary<string>>()

// Lookarounds cannot be generated, so values are filtered by them. Generators are slow to build, and few patterns are frequent.
const matching = (pattern: string): Arbitrary<string> => {
  const cached = matchingPatterns.get(pattern)
  if (cached !== undefined) return cached
  const generator = fc.stringMatching(new RegExp(pattern.replace(/\(\?<?[=!][^()]*\)/g, ''), 'u'))
  matchingPatterns.set(pattern, generator)
  return generator
}

const SECONDS = fc.integer({ min: 0, max: 4_102_444_799 })
const ORIGINS = fc.constantFrom('https://learn.example.org', 'http://127.0.0.1:3000', 'https://example.org:8443')
const PATHS = fc.stringMatching(/^(?:\/[a-z0-9._~-]{1,12}){0,3}(?:\?[a-z]{1,8}=[a-z0-9]{0,8})?$/)

const FORMATS: Record<string, Arbitrary<string>> = {
  'date-time': fc.integer({ min: 0, max: 4_102_444_799_999 }).map(milliseconds => new Date(milliseconds).toISOString()),
  date: SECONDS.map(seconds => new Date(seconds * 1000).toISOString().slice(0, 10)),
  time: SECONDS.map(seconds => `${new Date(seconds * 1000).toISOString().slice(11, 19)}Z`),
  email: fc.stringMatching(/^[a-z0-9]{1,12}(?:[.+-][a-z0-9]{1,12})?@[a-z0-9]{1,12}\.(?:example|test|org)$/),
  uri: fc.tuple(ORIGINS, PATHS).map(parts => parts.join('')),
  url: fc.tuple(ORIGINS, PATHS).map(parts => parts.join('')),
  'uri-reference': PATHS,
  hostname: fc.stringMatching(/^[a-z0-9]{1,12}(?:\.[a-z]{2,8}){0,2}$/),
  ipv4: fc.ipV4(),
  ipv6: fc.ipV6(),
  uuid: fc.uuid(),
  duration: fc.stringMatching(/^P(?:[1-9]\d?Y|[1-9]\d?M|[1-9]\d?D|[1-9]\d?W|T[1-9]\d?H)$/),
}

const buildString = (schema: Schema): Arbitrary<string> => {
  const formatted = schema.format === undefined ? undefined : FORMATS[schema.format]
  const generator = formatted ?? (schema.pattern === undefined ? readText(schema) : matching(schema.pattern))
  return generator.filter(text => fits(text, schema))
}

const buildInteger = (schema: Schema): Arbitrary<number> => {
  const step = schema.multipleOf ?? 1
  const above =
    schema.exclusiveMinimum === undefined ? Number.MIN_SAFE_INTEGER : Math.floor(schema.exclusiveMinimum) + 1
  const below = schema.exclusiveMaximum === undefined ? Number.MAX_SAFE_INTEGER : Math.ceil(schema.exclusiveMaximum) - 1
  const min = Math.max(above, schema.minimum ?? Number.MIN_SAFE_INTEGER)
  const max = Math.min(below, schema.maximum ?? Number.MAX_SAFE_INTEGER)
  return fc.integer({ min: Math.ceil(min / step), max: Math.floor(max / step) }).map(steps => steps * step)
}

const buildNumber = (schema: Schema): Arbitrary<number> => {
  if (schema.multipleOf !== undefined) return buildInteger(schema)
  const { exclusiveMinimum: above, exclusiveMaximum: below } = schema
  const min = Math.max(schema.minimum ?? -Number.MAX_VALUE, above ?? -Number.MAX_VALUE)
  const max = Math.min(schema.maximum ?? Number.MAX_VALUE, below ?? Number.MAX_VALUE)
  const open = { minExcluded: min === above, maxExcluded: max === below }
  return fc.double({ min, max, ...open, noNaN: true, noDefaultInfinity: true })
}

const buildArray = (schema: Schema): Arbitrary<unknown[]> => {
  const { items = {}, minItems = 0, maxItems } = schema
  if (isTuple(items)) return fc.tuple(...items.map(buildValid))
  const within = { minLength: minItems, ...(maxItems === undefined ? {} : { maxLength: maxItems }) }
  if (!schema.uniqueItems) return fc.array(buildValid(items), within)
  return fc.uniqueArray(buildValid(items), { ...within, selector: canonical })
}

const isTuple = (items: Schema | readonly Schema[]): items is readonly Schema[] => Array.isArray(items)

/** Tells whether a value is a JSON object. */
export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

// Members in one order, so that two equal objects have the same text.
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner) => (isObject(inner) ? Object.fromEntries(Object.entries(inner).sort()) : inner))

const buildObject = (schema: Schema): Arbitrary<object> => {
  const { properties = {}, required = [], additionalProperties: others } = schema
  const values = Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, buildValid(inner)]))
  const declared = fc.record(values, { requiredKeys: [...required], noNullPrototype: true })
  const [pattern, named] = Object.entries(schema.patternProperties ?? {})[0] ?? ['^.+$', undefined]
  const inner = named ?? (typeof others === 'object' ? others : undefined)
  if (!inner) return declared
  const keys = matching(pattern).filter(key => key !== '__proto__' && !(key in properties))
  const { minProperties: minKeys = 0, maxProperties: maxKeys = 8 } = schema
  const free = fc.dictionary(keys, buildValid(inner), { minKeys, maxKeys, noNullPrototype: true })
  return fc.tuple(free, declared).map(([more, members]) => ({ ...more, ...members }))
}

const MAKERS: Record<string, (schema: Schema) => Arbitrary<unknown>> = {
  string: buildString,
  integer: buildInteger,
  number: buildNumber,
  boolean: () => fc.boolean(),
  null: () => fc.constant(null),
  array: buildArray,
  object: buildObject,
}
