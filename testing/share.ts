import { createHash } from 'node:crypto'
import type { Operation } from '#src/contract/operation.ts'

// Suites that are derived from the declared operations are products of operations, callers and values. `npm test` runs a part with every
// operation and every kind of case in it; `npm run prove` runs the product, from files that import `testing/whole.ts` first.
let isWhole = false

/** Gives the derived suites that are loaded from now on all of their cases. */
export const declareWhole = (): void => {
  isWhole = true
}

/** Returns what `npm run prove` uses, or what `npm test` does. */
export const pick = <Value>({ whole, part }: { readonly whole: Value; readonly part: Value }): Value =>
  isWhole ? whole : part

const computePlace = (key: string, length: number): number =>
  createHash('sha256').update(key).digest().readUInt32BE() % length

/**
 * Returns all cases in the whole product, else so many of them: as far from each other as possible, from a place that the key
 * decides, so that tests with different keys have different cases and each test always has the same.
 */
export const pickSome = <Case>(cases: readonly Case[], count: number, key: string): readonly Case[] => {
  if (isWhole || cases.length <= count) return cases
  const first = computePlace(key, cases.length)
  const places = Array.from({ length: count }, (_, nth) => first + Math.floor((nth * cases.length) / count))
  return places.flatMap(place => cases.slice(place % cases.length, (place % cases.length) + 1))
}

const named = process.env.STOA_TEST_OPERATIONS?.split(',')

/** Returns the operations that a run is narrowed to by STOA_TEST_OPERATIONS, a list of ids; all where it is unset. */
export const chosen = (operations: readonly Operation[]): readonly Operation[] =>
  named === undefined ? operations : operations.filter(({ id }) => named.includes(id))
