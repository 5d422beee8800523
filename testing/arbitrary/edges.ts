import type { TSchema } from 'typebox'
import { compileCheck } from '#src/contract/check.ts'
import { isObject, type Schema } from './valid.ts'

const DAYS = [
  '0000-01-01',
  '0001-01-01',
  '1900-01-01',
  '2000-01-01',
  '2099-12-31',
  '2100-01-01',
  '2199-12-31',
  '9999-12-31',
]

// Each is tried wherever a schema accepts it.
const TEXTS = [
  ...DAYS,
  ...DAYS.flatMap(day => [`${day}T00:00`, `${day}T23:59`, `${day}T00:00:00.000Z`, `${day}T23:59:59.999Z`]),
]
const SHORT = [
  ...['00:00', '23:59', '0', '0.0001', '100', 'zzz-Zzzz', 'ZZ', 'ZZZ', '#ffffff'],
  ...[9, 15, 18].map(length => '9'.repeat(length)),
  ...[`-${'9'.repeat(15)}.${'9'.repeat(10)}`, 'FREQ=DAILY;COUNT=500', 'FREQ=YEARLY;INTERVAL=9999;COUNT=2'],
  'FREQ=YEARLY;UNTIL=99991231T235959',
]

// The farthest from UTC in both directions.
const ZONES = ['Pacific/Kiritimati', 'Etc/GMT+12']

const LONGEST = 10_000
const ARRAY = 100

const listTexts = ({ minLength = 0, maxLength }: Schema): string[] => {
  const lengths = [minLength, ...(maxLength === undefined ? [] : [maxLength])].filter(length => length <= LONGEST)
  return lengths.flatMap(length => ['a', '9'].map(unit => unit.repeat(length)))
}

const listNumbers = (schema: Schema): number[] => {
  const step = schema.multipleOf ?? (schema.type === 'integer' ? 1 : 0.0001)
  const least = schema.minimum ?? (schema.exclusiveMinimum === undefined ? undefined : schema.exclusiveMinimum + step)
  const most = schema.maximum ?? (schema.exclusiveMaximum === undefined ? undefined : schema.exclusiveMaximum - step)
  return [
    least ?? Number.MIN_SAFE_INTEGER,
    0,
    most ?? 2 ** 31 - 1,
    ...(most === undefined ? [Number.MAX_SAFE_INTEGER] : []),
  ]
}

const isListed = (items: Schema['items']): items is Schema => items !== undefined && !Array.isArray(items)

const listArrays = (schema: Schema, base: unknown): unknown[] => {
  const { items, minItems = 0, maxItems = ARRAY } = schema
  if (!isListed(items)) return []
  const [first, ...others] = Array.isArray(base) ? base : []
  const edges = listEdges(items, first)
  const one = first ?? edges[0]
  const full = Array.from({ length: Math.min(maxItems, ARRAY) }, () => one)
  return [...edges.map(edge => [edge, ...others]), full, edges.slice(0, maxItems), full.slice(0, minItems)]
}

const listMembers = (schema: Schema, base: unknown): unknown[] => {
  const { properties = {}, required = [] } = schema
  const given = isObject(base) ? base : {}
  const edges = Object.entries(properties).map(
    ([name, inner]) => [name, listEdges(inner, Reflect.get(given, name))] as const,
  )
  const whole = {
    ...Object.fromEntries(
      edges
        .filter(([name, [edge]]) => required.includes(name) && edge !== undefined)
        .map(([name, [edge]]) => [name, edge]),
    ),
    ...given,
  }
  // Two values of which each is allowed alone may together be past what can be computed, such as an interval and a count.
  const together = edges.flatMap(([name, values], index) =>
    values.flatMap(value => [
      { ...whole, [name]: value },
      ...(isShort(properties[name])
        ? edges
            .slice(index + 1)
            .filter(([other]) => isNumeric(properties[other]))
            .flatMap(([other, more]) => more.map(edge => ({ ...whole, [name]: value, [other]: edge })))
        : []),
    ]),
  )
  const all = [0, -1].map(place => ({
    ...whole,
    ...Object.fromEntries(
      edges.flatMap(([name, values]) => (isNumeric(properties[name]) ? [[name, values.at(place)]] : [])),
    ),
  }))
  return [...together, ...all]
}

const plainTypes = (schema: Schema | undefined): string[] =>
  (schema?.anyOf ?? schema?.oneOf ?? [schema]).flatMap(one => (typeof one?.type === 'string' ? [one.type] : []))

const isNumeric = (schema: Schema | undefined): boolean =>
  plainTypes(schema).some(type => type === 'integer' || type === 'number')

const isShort = (schema: Schema | undefined): boolean => schema?.enum !== undefined || isNumeric(schema)

// Of texts without a form the other tests try the lengths; a short one may be a time zone.
const textEdges = (schema: Schema): string[] => {
  if (schema.pattern !== undefined || schema.format !== undefined) return [...listTexts(schema), ...TEXTS, ...SHORT]
  return (schema.maxLength ?? Number.POSITIVE_INFINITY) > 100 ? [] : ZONES
}

const listCandidates = (schema: Schema, base: unknown): unknown[] => {
  const choices = schema.anyOf ?? schema.oneOf
  if ('const' in schema) return [schema.const]
  if (schema.enum) return [...schema.enum]
  if (choices)
    return choices.flatMap(one => listEdges(one, compileCheck(one as TSchema).Check(base) ? base : undefined))
  if (schema.type === 'array') return listArrays(schema, base)
  if (schema.type === 'object') return listMembers(schema, base)
  if (schema.type === 'string') return textEdges(schema)
  if (schema.type === 'integer' || schema.type === 'number') return listNumbers(schema)
  if (schema.type === 'boolean') return [false, true]
  return schema.type === 'null' ? [null] : []
}

/**
 * The values at the edges of what a schema accepts, each with one place of `base` at an edge, and of members that multiply
 * each other with two.
 */
export const listEdges = (schema: object, base?: unknown): unknown[] => {
  const check = compileCheck(schema as TSchema)
  return listCandidates(schema as Schema, base).filter(value => check.Check(value))
}
