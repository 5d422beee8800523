import {
  isRunning,
  lockSubscription,
  readSchool,
  type SubscriptionRow,
} from '#src/areas/memberships/subscriptions/index.ts'
import { findMember } from '#src/areas/people/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { Fact } from '#src/contract/fact.ts'
import { toLanguage } from '#src/contract/language.ts'
import { recordMail } from '#src/identity/index.ts'
import { formatDay, formatMoney } from '#src/kit/format.ts'
import { findPending } from '../change/queries.ts'
import { planChange } from '../change/writes.ts'
import { moveMails } from './mails.ts'
import type { MoveRow } from './queries.ts'
import { firstPeriod } from './rules.ts'

/** The kind of the job that announces a move to those who hold the old price. */
export const MOVE_JOB = 'price_move'

const mail = async (context: TransactionContext, row: SubscriptionRow, { offer }: MoveRow, at: Date): Promise<void> => {
  const { db, school, now } = context
  const reader = await findMember(db, school.id, row.member_id)
  if (reader === undefined || row.price === null) return
  const language = toLanguage(reader.locale ?? school.locale)
  const { time_zone: zone } = await readSchool(db, school.id)
  const values = {
    name: row.name,
    before: formatMoney(row.price.amount, row.price.currency, language),
    after: formatMoney(offer.payment.amount, offer.payment.currency, language),
    date: formatDay(at, row.anchor_zone ?? zone, language),
  }
  await recordMail(
    db,
    school.id,
    row.member_id,
    { kind: moveMails.price_move, values, link: '/account/subscriptions' },
    now,
  )
}

/**
 * Announces a move to one subscription and plans its change with the first period after the notice; whoever has chosen another
 * price, or has no subscription any more, is left alone. Returns the facts.
 */
export const announce = async (
  context: TransactionContext,
  move: MoveRow,
  subscriptionId: string,
): Promise<readonly Fact[] | undefined> => {
  const row = await lockSubscription(context, subscriptionId)
  if (row?.price?.payment_type !== 'subscription' || row.price_id !== move.price_id || !isRunning(row)) return undefined
  if (row.collection === 'complimentary') return undefined
  if ((await findPending(context.db, context.school.id, row.id)) !== undefined) return undefined
  const at = firstPeriod(row, row.price, move.not_before)
  const facts = await planChange(context, row, move.offer, { source: 'move', moveId: move.id, by: {}, notBefore: at })
  await mail(context, row, move, at)
  return facts
}
