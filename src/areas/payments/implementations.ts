import { memberErasure, memberMerge } from '#src/areas/members/index.ts'
import { implement } from '#src/contract/hook.ts'
import { personalData } from '#src/contract/personal-data.ts'
import { putJob } from '#src/db/jobs.ts'
import { toId } from '#src/kit/ids.ts'
import { instant } from '#src/kit/instant.ts'
import {
  eraseMethods,
  listCustomers,
  listPaymentsOfMember,
  movePayments,
  type PaymentRow,
  readClock,
} from './payments/queries.ts'
import { FORGET_JOB } from './upkeep/jobs.ts'

const paymentData = (row: PaymentRow) => ({
  id: toId('pay', row.id),
  order_id: toId('ord', row.order_id),
  provider: row.provider,
  state: row.state,
  amount: row.amount,
  currency: row.currency,
  paid_amount: row.paid_amount,
  method: row.method,
  created_at: instant(row.created_at),
  settled_at: instant(row.settled_at),
})

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(personalData, async ({ memberId }, { db, school }) => [
    { name: 'payments', rows: (await listPaymentsOfMember(db, school.id, memberId)).map(paymentData) },
  ]),
  // The books stay, without the method; what the provider keeps is forgotten by a job.
  implement(memberErasure, async ({ memberId }, { db, school }) => {
    await eraseMethods(db, school.id, memberId)
    if ((await listCustomers(db, school.id, memberId)).length === 0) return
    await putJob(db, school.id, { kind: FORGET_JOB, id: memberId, dueAt: await readClock(db) })
  }),
  implement(memberMerge, async ({ fromId, intoId }, { db, school }) => {
    await movePayments(db, school.id, fromId, intoId)
  }),
]
