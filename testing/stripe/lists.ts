import type { Place } from './bank.ts'
import { type Entry, render } from './books.ts'
import { type Asked, invalid, type Nested, need, pick } from './request.ts'

const PAGE_SIZE = 10

/** A page of a list, newest first, as every list of the API. */
export const listOf = (
  place: Place,
  { fields, expand, path }: Asked,
  all: readonly Entry[],
): Readonly<Record<string, unknown>> => {
  const size = Number(pick(fields, 'limit') ?? PAGE_SIZE)
  if (size < 1 || size > 100) throw invalid('parameter_invalid', 'limit is from 1 to 100.', 'limit')
  const from = Number(pick(fields, 'created.gte') ?? 0)
  const until = Number(pick(fields, 'created.lte') ?? Number.MAX_SAFE_INTEGER)
  const newest = all.filter(({ created }) => created >= from && created <= until).toReversed()
  const after = pick(fields, 'starting_after')
  const start = after === undefined ? 0 : newest.findIndex(({ id }) => id === after) + 1
  const inner = expand.map(one => one.replace(/^data\./, ''))
  const data = newest.slice(start, start + size).map(one => render(place.store, one, inner))
  return { object: 'list', url: path, has_more: start + size < newest.length, data }
}

/** What belongs to the intent that is asked for. */
export const ofIntent = <T extends Entry & { readonly payment_intent: string | null }>(
  kind: ReadonlyMap<string, T>,
  fields: Nested,
): T[] => {
  const id = need(fields, 'payment_intent')
  return [...kind.values()].filter(one => one.payment_intent === id)
}
