import fc, { type Arbitrary } from 'fast-check'
import { RAW, TEXTS, UNKNOWN_MEMBERS } from './lists.ts'
import { buildValid, isObject } from './valid.ts'

const NUMBERS = [0, -0, -1, 1.5, 2 ** 31, -(2 ** 31) - 1, 2 ** 53 + 2, 2 ** 63, 1e21, 1e308, -1e308, Number.MIN_VALUE]

const nested = (depth: number, wrap: (inner: unknown) => unknown): unknown =>
  Array.from({ length: depth }).reduce<unknown>(inner => wrap(inner), 1)

const NESTED = [33, 100, 1000].flatMap(depth => [
  nested(depth, inner => [inner]),
  nested(depth, inner => ({ a: inner })),
])

const OTHERS = [null, true, false, [], {}, [[]], [null], { length: 1 }, { toString: 'x' }, ...NESTED]

/** Text that has broken software: SQL, markup, NUL, lone surrogates, combining marks, directions, lengths, impossible dates. */
export const hostileText = (): Arbitrary<string> => {
  const anyUnit = fc.integer({ min: 0, max: 0xffff }).map(unit => String.fromCharCode(unit))
  return fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...TEXTS) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
    { weight: 1, arbitrary: fc.string({ unit: anyUnit }) },
  )
}

const GONE = Symbol('gone')

/** Replacements of the one value that is made invalid; GONE removes the member. */
type Spoil = (old: unknown) => unknown

const listPaths = (value: unknown): string[][] => {
  if (typeof value !== 'object' || value === null) return [[]]
  return [[], ...Object.entries(value).flatMap(([name, inner]) => listPaths(inner).map(path => [name, ...path]))]
}

// Members are defined, never assigned, so that `__proto__` becomes a member like any other.
const spoilAt = (value: unknown, [step, ...rest]: readonly string[], spoil: Spoil): unknown => {
  if (step === undefined) return spoil(value)
  const entries = Object.entries(value ?? {})
    .map(([name, inner]) => [name, name === step ? spoilAt(inner, rest, spoil) : inner] as const)
    .filter(([, inner]) => inner !== GONE)
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries)
}

const becomes =
  (value: unknown): Spoil =>
  () =>
    value

const otherType: Spoil = old => {
  if (typeof old === 'number' || typeof old === 'boolean') return String(old)
  if (typeof old === 'string') return [old]
  return isObject(old) ? [old] : { 0: old }
}

const withMember =
  (name: string, value: unknown): Spoil =>
  old =>
    Object.fromEntries([...Object.entries(isObject(old) ? old : {}), [name, value]])

const hostileLeaf = (): Arbitrary<unknown> =>
  fc.oneof(hostileText(), fc.constantFrom(...NUMBERS), fc.constantFrom(...OTHERS))

const spoils = (): Arbitrary<Spoil> =>
  fc.oneof(
    { weight: 5, arbitrary: hostileLeaf().map(becomes) },
    { weight: 2, arbitrary: fc.constant<Spoil>(() => GONE) },
    { weight: 2, arbitrary: fc.constant(otherType) },
    { weight: 1, arbitrary: fc.constant<Spoil>(old => [old, old]) },
    {
      weight: 3,
      arbitrary: fc.tuple(fc.constantFrom(...UNKNOWN_MEMBERS), hostileLeaf()).map(pair => withMember(...pair)),
    },
  )

/** Values that a schema almost accepts, with one invalid or hostile part; each can be written as JSON. */
export const buildHostile = (schema: object): Arbitrary<unknown> => {
  const spoiled = fc.tuple(buildValid(schema), fc.nat(), spoils()).map(([value, choice, spoil]) => {
    const paths = listPaths(value)
    const result = spoilAt(value, paths[choice % paths.length] ?? [], spoil)
    return result === GONE ? null : result
  })
  return fc.oneof({ weight: 9, arbitrary: spoiled }, { weight: 1, arbitrary: fc.constantFrom(...OTHERS, ...NUMBERS) })
}

/** Bodies as text, for what no value can express: numbers past 2^53, duplicate members, broken and deeply nested JSON. */
export const hostileJson = (schema: object): Arbitrary<string> =>
  fc.tuple(buildValid(schema), fc.nat(), fc.constantFrom(...RAW)).map(([value, choice, raw]) => {
    const paths = listPaths(value)
    const mark = '\u0001here\u0001'
    const marked = JSON.stringify(spoilAt(value, paths[choice % paths.length] ?? [], () => mark))
    return marked.replace(JSON.stringify(mark), () => raw)
  })
