import type { Db } from '#src/contract/db.ts'
import { sql } from './sql.ts'

/** What a school numbers without gaps, from 1 in each year; documents of test payments have series of their own. */
export type NumberedKind = 'invoice' | 'credit_note' | 'test_invoice' | 'test_credit_note'

/**
 * Takes the next number of a series. Call it last in a transaction: it locks the series until the transaction ends, so every
 * other taker waits, and a transaction that is rolled back gives its number back.
 */
export const takeNumber = async (
  db: Db,
  schoolId: string,
  { kind, year }: { readonly kind: NumberedKind; readonly year: number },
): Promise<number> =>
  (
    await db.one(sql<{ last: number }>`
      insert into number_series as n (school_id, kind, year, last) values (${schoolId}, ${kind}, ${year}, 1)
      on conflict (school_id, kind, year) do update set last = n.last + 1
      returning last`)
  ).last
