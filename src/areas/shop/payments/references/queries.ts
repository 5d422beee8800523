import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

// More than any provider gives one payment, with its page, attempts and refunds.
const MOST = 20

/** Stores ids of a payment at its provider, of which the first one that leads to a payment stays; at most 20 for a payment. */
export const insertReferences = (
  db: Db,
  schoolId: string,
  { id, provider }: { readonly id: string; readonly provider: string },
  refs: readonly string[],
) =>
  db.run(sql`
    insert into payment_references (school_id, provider, ref, payment_id)
    select ${schoolId}, ${provider}, one.ref, ${id} from unnest(${refs}::text[]) as one (ref)
    where not exists (
      select from payment_references known
      where known.school_id = ${schoolId} and known.provider = ${provider} and known.ref = one.ref)
    limit greatest(0, ${MOST} - (
      select count(*) from payment_references of_payment
      where of_payment.school_id = ${schoolId} and of_payment.payment_id = ${id}))
    on conflict do nothing`)

/** The payment that a provider knows by an id of its own. */
export const findByReference = async (
  db: Db,
  schoolId: string,
  provider: string,
  ref: string,
): Promise<string | undefined> =>
  (
    await db.first(sql<{ payment_id: string }>`
      select payment_id from payment_references
      where school_id = ${schoolId} and provider = ${provider} and ref = ${ref}`)
  )?.payment_id
