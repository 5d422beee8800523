import { clockNow } from '#src/areas/learning/index.ts'
import {
  announceAt,
  chargingTerms,
  debitMails,
  lockSubscription,
  mailMember,
  quotePeriod,
} from '#src/areas/memberships/subscriptions/index.ts'
import { findMethod } from '#src/areas/shop/index.ts'
import { DEBIT_BRAND } from '#src/contract/debits.ts'
import type { JobHandler } from '#src/contract/job.ts'
import { getSchool } from '#src/db/schools.ts'

/** Mails that an account is debited for the next period in two days, unless that was changed meanwhile. */
export const announceDebit: JobHandler = async ({ schoolId, id }) => ({
  againIn: undefined,
  settle: async db => {
    const where = { db, school: await getSchool(db, schoolId), now: await clockNow(db) }
    const row = await lockSubscription(where, id)
    const at = row && announceAt(row)
    if (row === undefined || at === undefined || at > where.now || row.method_id === null) return
    const method = await findMethod(db, schoolId, row.method_id)
    const { next_charge_at: day, price } = row
    const total = quotePeriod(row, await chargingTerms(where, [row]))?.totals.total ?? 0
    if (method?.brand !== DEBIT_BRAND || method.last4 === null || day === null || price === null || total === 0) return
    const { last4 } = method
    await mailMember(where, row, words => ({
      kind: debitMails.debit_announced,
      values: { amount: words.money(total, price.currency), day: words.day(day), last4 },
    }))
  },
})
