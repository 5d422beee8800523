import { buildWebhookUrl } from '#src/areas/school/index.ts'
import type { Database } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { countPaymentWarnings } from './queries.ts'

/** What of payments needs somebody, in words for the operator; empty when nothing does. */
export const findPaymentWarnings = async ({
  database,
  school,
}: {
  readonly database: Pick<Database, 'statements'>
  readonly school: School
}): Promise<string[]> => {
  const counts = await database.statements(school.id, db => countPaymentWarnings(db, school.id))
  const { silent, different, stuck, failed_refunds: failed } = counts
  return [
    ...silent.map(
      name => `the webhook of ${name} was never heard from in 30 days; its address is ${buildWebhookUrl(school, name)}`,
    ),
    ...(different === 0 ? [] : [`payments that differ from what their provider says: ${different}`]),
    ...(stuck === 0 ? [] : [`payments and refunds that have waited for their provider for more than a day: ${stuck}`]),
    ...(failed === 0 ? [] : [`refunds that failed within 30 days: ${failed}`]),
  ]
}
