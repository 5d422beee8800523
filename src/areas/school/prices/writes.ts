import type { Db } from '#src/contract/db.ts'
import { buildFactAbout, type Fact, getSubjectField } from '#src/contract/fact.ts'
import type { ResourceChange, WriteContext } from '#src/contract/operation.ts'
import { errorsOfPrice, type PriceInput, priceValues } from '#src/contract/price.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound, refuseInvalid } from '#src/contract/problems.ts'
import { type IdPrefix, newUuid, toId } from '#src/kit/ids.ts'
import type { PriceTable } from './conditions.ts'
import {
  archivePrice,
  countPrices,
  findPrice,
  insertPrice,
  listItemPrices,
  type PriceRow,
  shareCurrency,
  storePrimary,
} from './queries.ts'
import { MAX_PRICES, priceArchived, tooManyPrices } from './rules.ts'

type Where = { readonly db: Db; readonly schoolId: string; readonly now: Date }

/** What is sold at prices, locked while they change. */
export type Priced = { readonly id: string; readonly primary_price_id: string | null }

/** A kind of item that is sold: its prices, what facts call it, and the prefix of its ids. */
export type PricedKind = {
  readonly table: PriceTable
  readonly name: 'course' | 'digital_product' | 'plan' | 'ticket_type'
  readonly prefix: IdPrefix
}

/** Creates a price of a locked item; the first one becomes primary. Refuses more than the maximum number. */
export const addPrice = async (
  { db, schoolId, now }: Where,
  table: PriceTable,
  item: Priced,
  input: PriceInput,
): Promise<PriceRow> => {
  const currency = await shareCurrency(db, schoolId)
  refuseInvalid(errorsOfPrice(input, currency, now))
  if ((await countPrices(db, schoolId, table, { itemId: item.id, status: 'active' })) >= MAX_PRICES)
    throw new Refusal(tooManyPrices, `At most ${MAX_PRICES} prices can be active.`)
  const ids = { id: newUuid(now.getTime()), itemId: item.id }
  const row = await insertPrice(db, schoolId, table, ids, priceValues(input, currency))
  await storePrimary(db, schoolId, table, item.id, item.primary_price_id ?? row.id)
  return row
}

type Writing = Pick<WriteContext, 'db' | 'school' | 'now'>

/** A price after a change, the primary price of its item, and what to record; nothing where nothing changed. */
export type PriceChange = {
  readonly row: PriceRow
  readonly primary_price_id: string | null
  readonly change: ResourceChange | undefined
  readonly facts: readonly Fact[]
}

const buildFact = (verb: 'archived' | 'created', { name, prefix }: PricedKind, itemId: string, priceId: string): Fact =>
  buildFactAbout(`price.${verb}`, toId('prc', priceId), { [getSubjectField(`${name}.updated`)]: toId(prefix, itemId) })

// The replaced price must belong to the item and be active.
const retireReplaced = async ({ db, school }: Writing, { table }: PricedKind, item: Priced, id: string) => {
  if ((await findPrice(db, school.id, table, item.id, id)) === undefined)
    refuseInvalid([{ pointer: '/replaces', code: 'unknown', message: 'is not a price of this item' }])
  if ((await archivePrice(db, school.id, table, id)) === undefined)
    throw new Refusal(priceArchived, 'The price to replace is already retired.')
}

/** Offers a locked item at a new price, which may replace another one. */
export const createPrice = async (
  context: Writing,
  kind: PricedKind,
  item: Priced,
  input: PriceInput,
): Promise<PriceChange> => {
  const { db, school, now } = context
  const { replaces } = input
  if (replaces !== undefined) await retireReplaced(context, kind, item, replaces)
  const kept = replaces === item.primary_price_id ? null : item.primary_price_id
  const row = await addPrice({ db, schoolId: school.id, now }, kind.table, { ...item, primary_price_id: kept }, input)
  const prices = [row.id, ...(replaces === undefined ? [] : [replaces])].map(id => toId('prc', id))
  const retired = replaces === undefined ? [] : [buildFact('archived', kind, item.id, replaces)]
  return {
    row,
    primary_price_id: kept ?? row.id,
    change: { ids: [...prices, toId(kind.prefix, item.id)], fields: ['prices'] },
    facts: [buildFact('created', kind, item.id, row.id), ...retired],
  }
}

/** Stops selling a locked item at a price. If it was the primary price, the oldest one on sale becomes primary. */
export const retirePrice = async (
  { db, school }: Writing,
  kind: PricedKind,
  item: Priced,
  id: string,
): Promise<PriceChange> => {
  const row = await findPrice(db, school.id, kind.table, item.id, id)
  if (row === undefined) throw new Refusal(notFound, 'There is no such price.')
  const retired = await archivePrice(db, school.id, kind.table, row.id)
  if (retired === undefined) return { row, primary_price_id: item.primary_price_id, change: undefined, facts: [] }
  const primary = item.primary_price_id === row.id ? null : item.primary_price_id
  const stored = await storePrimary(db, school.id, kind.table, item.id, primary ?? undefined)
  return {
    row: retired,
    primary_price_id: stored.primary_price_id,
    change: { ids: [toId('prc', row.id), toId(kind.prefix, item.id)], fields: ['status'] },
    facts: [buildFact('archived', kind, item.id, row.id)],
  }
}

/** Selects the price of a locked item that is shown first; undefined when it was that already. */
export const choosePrimary = async (
  { db, school }: Writing,
  { table, name, prefix }: PricedKind,
  item: Priced,
  id: string,
) => {
  const row = await findPrice(db, school.id, table, item.id, id)
  if (row === undefined)
    refuseInvalid([{ pointer: '/price_id', code: 'unknown', message: 'is not a price of this item' }])
  if (row === undefined || row.id === item.primary_price_id) return undefined
  if (row.status === 'retired') throw new Refusal(priceArchived, 'A retired price cannot be the primary price.')
  const stored = await storePrimary(db, school.id, table, item.id, row.id)
  const fields = ['primary_price']
  const fact = buildFactAbout(`${name}.updated`, toId(prefix, item.id), { fields })
  return { stored, change: { ids: [toId(prefix, item.id)], fields, revision: stored.revision }, fact }
}

/** Gives a copy of an item the active prices of the original. */
export const copyPrices = async (
  { db, schoolId, now }: Where,
  table: PriceTable,
  from: Priced,
  intoId: string,
): Promise<void> => {
  let primary: string | undefined
  for (const [index, price] of (await listItemPrices(db, schoolId, table, [from.id])).entries()) {
    // A millisecond apart, so that the copies keep the order of the originals.
    const id = newUuid(now.getTime() + index)
    await insertPrice(db, schoolId, table, { id, itemId: intoId }, price)
    if (price.id === from.primary_price_id) primary = id
  }
  if (primary !== undefined) await storePrimary(db, schoolId, table, intoId, primary)
}
