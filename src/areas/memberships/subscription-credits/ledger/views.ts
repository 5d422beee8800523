import type { Static } from 'typebox'
import type { SchoolContext } from '#src/contract/context.ts'
import type { PersonalData } from '#src/contract/personal-data.ts'
import { toId } from '#src/kit/ids.ts'
import { instant } from '#src/kit/instant.ts'
import { type EntryRow, listEntries } from './queries.ts'
import type { CreditEntries } from './schema.ts'

const MAX_SHOWN = 100

const buildOrder = (id: string | null, number: string | null) =>
  id === null || number === null ? null : { id, number }

const renderView = ({ kind, amount, at, ...row }: EntryRow): Static<typeof CreditEntries>[number] => {
  const order = buildOrder(row.from_order_id, row.from_number)
  return {
    kind,
    amount,
    at,
    order: buildOrder(row.order_id, row.number),
    from: order === null || row.name === null ? null : { order, name: row.name, interval: row.interval },
  }
}

/** The latest entries of the ledger of a subscription, as operations return them. */
export const creditEntries = async (
  { db, school }: SchoolContext,
  subscriptionId: string,
): Promise<Static<typeof CreditEntries>> =>
  (await listEntries(db, school.id, { subscriptionId }, MAX_SHOWN)).map(renderView)

/** Every entry of the ledgers of a member's subscriptions, for the copy of their data. */
export const personalCredits = async ({ db, school }: SchoolContext, memberId: string): Promise<PersonalData> => {
  const rows = await listEntries(db, school.id, { memberId })
  return {
    name: 'subscription_credits',
    rows: rows.map(({ subscription_id, kind, amount, number, from_number, at }) => ({
      subscription_id: toId('sub', subscription_id),
      kind,
      amount,
      order_number: number,
      from_order_number: from_number,
      at: instant(at),
    })),
  }
}
