import {
  endOfAccess,
  enroll,
  entitleAll,
  liftSource,
  placeMemberHold,
  revokeSourceAccess,
} from '#src/areas/learning/index.ts'
import { findMethod } from '#src/areas/shop/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import { DEBIT_BRAND } from '#src/contract/debits.ts'
import { buildFactAbout, type Fact, type FactPayload } from '#src/contract/fact.ts'
import type { FactType } from '#src/contract/fact-types.ts'
import type { OfferedAccess } from '#src/contract/offer.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState } from '#src/contract/problems.ts'
import { dropJob, putJob } from '#src/db/jobs.ts'
import { lockMember } from '#src/identity/index.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { announceAt, dueAt, mayMove, type SubscriptionStatus } from '../rules.ts'
import type { SubscriptionRow, SubscriptionValues } from './conditions.ts'
import { findSubscription, insertChange, lockRow, storeSubscription } from './queries.ts'

/** The kind of the job that does what is due of a subscription. */
export const RENEWAL_JOB = 'renewal'

/** The kind of the job that announces a debit. */
export const DEBIT_JOB = 'debit_notice'

/**
 * A subscription, locked with its member until the transaction ends; the member first, as everywhere where access is given.
 * Undefined when there is no such subscription.
 */
export const lockSubscription = async (
  { db, school }: Pick<TransactionContext, 'db' | 'school'>,
  id: string,
): Promise<SubscriptionRow | undefined> => {
  const found = await findSubscription(db, school.id, { id })
  if (found === undefined) return undefined
  await lockMember(db, school.id, found.member_id)
  await lockRow(db, school.id, id)
  return findSubscription(db, school.id, { id })
}

// Planned while the announcement lies ahead, so that a period is announced once, however often its subscription is stored.
const planAnnouncement = async ({ db, school, now }: TransactionContext, row: SubscriptionRow): Promise<void> => {
  const at = announceAt(row)
  if (at === undefined || at <= now || row.method_id === null) return
  const method = await findMethod(db, school.id, row.method_id)
  if (method?.brand === DEBIT_BRAND) await putJob(db, school.id, { kind: DEBIT_JOB, id: row.id, dueAt: at })
}

/** Has the worker look at a subscription when something is due of it, and not before. */
export const schedule = async (context: TransactionContext, row: SubscriptionRow): Promise<void> => {
  const { db, school } = context
  const due = dueAt(row)
  if (due === undefined) await dropJob(db, school.id, RENEWAL_JOB, row.id)
  else await putJob(db, school.id, { kind: RENEWAL_JOB, id: row.id, dueAt: due })
  await planAnnouncement(context, row)
}

/** Stores a locked subscription with what has changed, and when something is due of it; returns it as it is now. */
export const saveSubscription = async (
  context: TransactionContext,
  row: SubscriptionRow,
  changes: Partial<SubscriptionValues>,
): Promise<SubscriptionRow> => {
  const { db, school, now } = context
  await storeSubscription(db, school.id, { ...row, ...changes }, now)
  const stored = await findSubscription(db, school.id, { id: row.id })
  if (stored === undefined) throw new Error('a subscription that was stored is there')
  await schedule(context, stored)
  return stored
}

/** Refuses with 409 a move that the status of a subscription does not allow. */
export const checkMove = ({ status }: Pick<SubscriptionRow, 'status'>, to: SubscriptionStatus): void => {
  if (!mayMove(status, to)) throw new Refusal(invalidState, `The subscription is ${status}, so this is not possible.`)
}

// What may happen to a subscription, as its facts call it.
type Happening = FactType extends infer Type ? (Type extends `subscription.${infer Name}` ? Name : never) : never

/** A fact about a subscription. */
export const subscriptionFact = <Name extends Happening>(
  { id, member_id }: Pick<SubscriptionRow, 'id' | 'member_id'>,
  name: Name,
  more?: Omit<FactPayload<`subscription.${Name}`>, 'subscription_id' | 'member_id'>,
  effects?: Fact['effects'],
): Fact =>
  buildFactAbout(`subscription.${name}`, toId('sub', id), { member_id: toId('mem', member_id), ...more }, effects)

/** Who changes a subscription; nobody is the worker. */
export type ChangedBy = { readonly memberId?: string | undefined; readonly clientId?: string | undefined }

/** Notes what was changed of a subscription, and by whom. */
export const noteChange = (
  { db, school, now }: TransactionContext,
  subscriptionId: string,
  type: string,
  by: ChangedBy,
  details: object,
): Promise<number> =>
  insertChange(db, school.id, subscriptionId, {
    id: newUuid(now.getTime()),
    type,
    member_id: by.memberId ?? null,
    client_id: by.clientId ?? null,
    details: { ...details },
    created_at: now,
  })

const offeredAccess = ({ access }: SubscriptionRow): OfferedAccess =>
  access !== null && 'until' in access ? { until: new Date(access.until) } : access

/** Until when a subscription gives access by its own rule: undefined is without an end. */
export const computeEnd = (row: SubscriptionRow): Date | undefined => {
  const end =
    row.started_at === null ? undefined : endOfAccess(offeredAccess(row), row.started_at, row.anchor_zone ?? 'UTC')
  const ends = [end, row.ends_at, row.cancel_at].filter(one => one !== undefined && one !== null)
  return ends.length === 0 ? undefined : new Date(Math.min(...ends.map(one => one.getTime())))
}

/**
 * Gives what a subscription is of, by one entitlement without an end as long as it renews, however late the worker is; nothing
 * when it is given already or its access is over. Returns the facts.
 */
export const giveAccess = async (
  context: TransactionContext,
  row: SubscriptionRow,
  startsAt?: Date,
): Promise<readonly Fact[]> => {
  const endsAt = computeEnd(row)
  if (endsAt !== undefined && endsAt <= (startsAt ?? context.now)) return []
  const source = { source: 'subscription', sourceId: row.id, memberId: row.member_id, startsAt, endsAt } as const
  if (row.item_type === 'course')
    return (await enroll(context, { ...source, courseId: row.item_id, notify: false })).facts
  return (await entitleAll(context, [{ ...source, named: { type: row.item_type, id: row.item_id } }])).facts
}

const HELD = 'past_due'

/** Takes back what a subscription gives, and lifts what suspended it; returns the facts. */
export const takeAccess = async (
  context: TransactionContext,
  row: SubscriptionRow,
  reason?: string,
): Promise<readonly Fact[]> => {
  const source = { source: 'subscription', sourceId: row.id } as const
  const taken = await revokeSourceAccess(context, source, reason)
  return [...taken, ...(await liftSource(context.db, context.school, { ...source, reason: HELD }))]
}

/** Suspends what a subscription gives while it is past due; returns the facts. */
export const suspendAccess = async (
  { db, school, now }: TransactionContext,
  row: SubscriptionRow,
): Promise<readonly Fact[]> => {
  const on = { source: 'subscription', sourceId: row.id } as const
  return [(await placeMemberHold(db, school, now, { memberId: row.member_id, on, reason: HELD })).fact]
}

/** Gives again what was suspended while a subscription was past due; returns the facts. */
export const resumeAccess = ({ db, school }: TransactionContext, row: SubscriptionRow): Promise<readonly Fact[]> =>
  liftSource(db, school, { source: 'subscription', sourceId: row.id, reason: HELD })
