import { memberDeparture } from '#src/areas/people/index.ts'
import { providerNeeds } from '#src/areas/school/index.ts'
import { implement } from '#src/contract/hook.ts'
import { isOnline } from '#src/contract/payment-providers.ts'
import { memberErasure, memberMerge, personalData } from '#src/contract/personal-data.ts'
import { toId } from '#src/kit/ids.ts'
import { instant } from '#src/kit/instant.ts'
import { listMethodsOfMember, type MethodRow, moveMethods } from './methods/queries.ts'
import { forgetMethods } from './methods/writes.ts'
import { eraseMethods, listPaymentsOfMember, movePayments, readClock, type StoredPayment } from './payments/queries.ts'
import { countNeeds } from './upkeep/queries.ts'

const paymentData = (row: StoredPayment) => ({
  id: toId('pay', row.id),
  order_id: row.order_id === null ? null : toId('ord', row.order_id),
  provider: row.provider,
  state: row.state,
  amount: row.amount,
  currency: row.currency,
  paid_amount: row.paid_amount,
  method: row.method,
  buyer: row.page?.buyer ?? null,
  created_at: instant(row.created_at),
  settled_at: instant(row.settled_at),
})

const methodData = ({ provider, brand, last4, expires, created_at, ended_at }: MethodRow) => ({
  provider,
  brand,
  last4,
  expires,
  created_at: instant(created_at),
  ended_at: instant(ended_at),
})

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(personalData, async ({ memberId }, { db, school }) => [
    { name: 'payments', rows: (await listPaymentsOfMember(db, school.id, memberId)).map(paymentData) },
    { name: 'payment_methods', rows: (await listMethodsOfMember(db, school.id, memberId)).map(methodData) },
  ]),
  implement(providerNeeds, async ({ provider }, { db, school }) => {
    if (!isOnline(provider)) return {}
    const { is_silent: isSilent, ...counts } = await countNeeds(db, school.id, provider)
    return { ...counts, isSilent }
  }),
  // Somebody who was deleted is not charged again, and saves a method anew where they come back.
  implement(memberDeparture, async ({ memberId, now }, context) => {
    await forgetMethods({ ...context, now }, memberId)
    return []
  }),
  // The books stay, without the method; what the provider keeps is forgotten by a job.
  implement(memberErasure, async ({ memberId }, { db, school }) => {
    await eraseMethods(db, school.id, memberId)
    await forgetMethods({ db, school, now: await readClock(db) }, memberId)
  }),
  implement(memberMerge, async ({ fromId, intoId }, { db, school }) => {
    await movePayments(db, school.id, fromId, intoId)
    await moveMethods(db, school.id, fromId, intoId)
  }),
]
