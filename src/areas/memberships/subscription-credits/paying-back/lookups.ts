import type { Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { formatMoney } from '#src/kit/format.ts'
import { toId } from '#src/kit/ids.ts'
import { listWaitingCredits } from './queries.ts'

const MAX_LISTED = 20

/** Which credits wait for a decision of a school, in words for its operator; empty when none does. */
export const findWaitingCredits = async (
  db: Db,
  { id, siteOrigin }: Pick<School, 'id' | 'siteOrigin'>,
): Promise<string[]> => {
  const waiting = await listWaitingCredits(db, id, MAX_LISTED)
  const others = (waiting[0]?.total ?? 0) - waiting.length
  return [
    ...waiting.map(({ id: ref, credit, currency }) => {
      const path = `${siteOrigin}/staff/subscriptions/${toId('sub', ref)}`
      return `a credit of ${formatMoney(credit, currency ?? 'EUR', 'en')} waits after the end of its subscription; pay it back or drop it: ${path}`
    }),
    ...(others > 0 ? [`and ${others} more`] : []),
  ]
}
