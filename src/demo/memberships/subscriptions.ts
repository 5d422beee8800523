import { addSubscription, periodStart, planPrices, secondAt, zonesEdition } from '#src/areas/memberships/index.ts'
import { listItemPrices } from '#src/areas/school/index.ts'
import type { Database } from '#src/contract/db.ts'
import { getSchool } from '#src/db/schools.ts'
import { findBySlug, findMemberId, hasRows } from '../queries.ts'

const BEGINS_MS = 300 * 24 * 3600 * 1000

/**
 * Adds the subscription of Ada to the club, which is paid by transfer and begins in some months: until then it gives and costs
 * nothing. Does nothing if the school has a subscription or no club.
 */
export const createDemoSubscriptions = (database: Database, schoolId: string): Promise<boolean> =>
  database.transaction(schoolId, async (db, now) => {
    const planId = await findBySlug(db, schoolId, 'membership_plans', 'bakers-club')
    const memberId = await findMemberId(db, schoolId, 'ada@crumb.example')
    if (planId === undefined || memberId === undefined || (await hasRows(db, schoolId, 'subscriptions'))) return false
    const price = (await listItemPrices(db, schoolId, planPrices, [planId])).find(one => one.interval === 'year')
    if (price === undefined) return false
    const { payment_type, amount, currency, interval, interval_count } = price
    const begins = new Date(now.getTime() + BEGINS_MS)
    const anchor = { anchor_local: secondAt(begins, 'UTC'), anchor_zone: 'UTC', anchor_number: 1 }
    const school = await getSchool(db, schoolId)
    await addSubscription(
      { db, school, now },
      {
        member_id: memberId,
        item_type: 'membership_plan',
        item_id: planId,
        name: 'Bakers’ club',
        price_id: price.id,
        price: {
          payment_type,
          amount,
          currency,
          interval,
          interval_count,
          number_of_payments: null,
          trial_days: null,
          access_days: null,
          access_until: null,
          enrollment_cap: null,
        },
        access: { forSubscription: true },
        tax_class: 'standard',
        status: 'active',
        collection: 'manual',
        provider: 'manual',
        source: 'staff',
        started_at: begins,
        zones: zonesEdition,
        ...anchor,
        next_charge_at: periodStart(anchor, price, 1),
      },
    )
    return true
  })
