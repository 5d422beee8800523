import type { Static, TSchema } from 'typebox'
import { fromId, isUuid, prefixOfPattern, toId } from '#src/kit/ids.ts'
import { compileCheck } from './check.ts'

/** The type of a value on the wire: instants are strings. */
export type Encoded<Value> = Value extends Date
  ? string
  : Value extends readonly (infer Item)[]
    ? Encoded<Item>[]
    : Value extends object
      ? { [Name in keyof Value]: Encoded<Value[Name]> }
      : Value

type Convert = (value: unknown) => unknown
type Schema = TSchema & {
  readonly type?: string
  readonly title?: string
  readonly pattern?: string
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly anyOf?: readonly Schema[]
}
type Direction = {
  readonly id: (prefix: NonNullable<ReturnType<typeof prefixOfPattern>>) => Convert
  readonly instant: Convert
  readonly cache: WeakMap<TSchema, { readonly convert: Convert | undefined }>
}

const objectConverter = (properties: Readonly<Record<string, Schema>>, direction: Direction): Convert | undefined => {
  const converters = Object.entries(properties).flatMap(([name, schema]) => {
    const convert = compileConverter(schema, direction)
    return convert === undefined ? [] : [{ name, convert }]
  })
  if (converters.length === 0) return undefined
  return value => {
    if (typeof value !== 'object' || value === null) return value
    const converted: Record<string, unknown> = { ...value }
    for (const { name, convert } of converters)
      if (converted[name] !== undefined) converted[name] = convert(converted[name])
    return converted
  }
}

const unionConverter = (variants: readonly Schema[], direction: Direction): Convert | undefined => {
  const converters = variants.map(schema => ({ schema, convert: compileConverter(schema, direction) }))
  const [only, ...others] = converters.filter(({ schema }) => schema.type !== 'null')
  if (converters.every(({ convert }) => convert === undefined)) return undefined
  if (others.length === 0) return value => (value === null ? null : (only?.convert?.(value) ?? value))
  return value => {
    for (const { schema, convert } of converters) {
      const converted = convert === undefined ? value : convert(value)
      if (compileCheck(schema).Check(direction === encoding ? converted : value)) return converted
    }
    return value
  }
}

const build = (schema: Schema, direction: Direction): Convert | undefined => {
  const { type, title, pattern, items, properties, anyOf } = schema
  if (anyOf !== undefined) return unionConverter(anyOf, direction)
  if (properties !== undefined) return objectConverter(properties, direction)
  if (items !== undefined) {
    const convert = compileConverter(items, direction)
    return convert && (value => (Array.isArray(value) ? value.map(convert) : value))
  }
  if (type !== 'string') return undefined
  if (title === 'Instant') return direction.instant
  // A reference in a path is an id, or another name after `|`.
  const prefix = pattern === undefined ? undefined : prefixOfPattern(pattern.split('|')[0] ?? '')
  return prefix && direction.id(prefix)
}

const compileConverter = (schema: Schema, direction: Direction): Convert | undefined => {
  const cached = direction.cache.get(schema)
  if (cached !== undefined) return cached.convert
  const convert = build(schema, direction)
  direction.cache.set(schema, { convert })
  return convert
}

const encoding: Direction = {
  id: prefix => value => (typeof value === 'string' && isUuid(value) ? toId(prefix, value) : value),
  instant: value => (value instanceof Date ? value.toISOString() : value),
  cache: new WeakMap(),
}

const decoding: Direction = {
  id: prefix => value => (typeof value === 'string' ? (fromId(prefix, value) ?? value) : value),
  instant: value => (typeof value === 'string' ? new Date(value) : value),
  cache: new WeakMap(),
}

/** Encodes a value by its schema: UUIDs become ids, and dates RFC 3339 strings. The value itself does not change. */
export const encode = <Schema extends TSchema>(schema: Schema, value: unknown): Encoded<Static<Schema>> =>
  (compileConverter(schema, encoding)?.(value) ?? value) as Encoded<Static<Schema>>

/** Decodes a validated value of a request for the handler: ids become UUIDs, and instants dates. */
export const decode = (schema: TSchema, value: unknown): unknown => compileConverter(schema, decoding)?.(value) ?? value
