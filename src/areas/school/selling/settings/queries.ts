import type { Db, Recorded } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { defaults } from './rules.ts'
import type { SellingValues } from './schema.ts'

/** The settings of a school; without a change their revision is 1, and they are as old as the school. */
export type SellingRow = Recorded<SellingValues>

type Stored = { readonly [Part in keyof SellingValues]: Partial<SellingValues[Part]> | null } & Pick<
  SellingRow,
  'revision' | 'created_at' | 'updated_at'
>

// A field that was added after the row was written has its default.
const withDefaults = ({ revision, created_at, updated_at, ...parts }: Stored): SellingRow => ({
  legal: { ...defaults.legal, ...parts.legal },
  tax: { ...defaults.tax, ...parts.tax },
  checkout: { ...defaults.checkout, ...parts.checkout },
  subscriptions: { ...defaults.subscriptions, ...parts.subscriptions },
  comments: { ...defaults.comments, ...parts.comments },
  revision,
  created_at,
  updated_at,
})

/** The seller settings of a school, with the defaults of what it never changed. */
export const getSelling = async (db: Db, schoolId: string): Promise<SellingRow> =>
  withDefaults(
    await db.one(sql<Stored>`
      select w.legal, w.tax, w.checkout, w.subscriptions, w.comments, coalesce(w.revision, 1) as revision, s.created_at,
        coalesce(w.updated_at, s.created_at) as updated_at
      from schools s left join school_selling w on w.school_id = ${schoolId} where s.id = ${schoolId}`),
  )

/** The same, locked until the transaction ends; the row of the school is locked, since the settings may have none. */
export const lockSelling = async (db: Db, schoolId: string): Promise<SellingRow> => {
  await db.one(sql`select from schools where id = ${schoolId} for no key update`)
  return getSelling(db, schoolId)
}

/** Stores locked settings as the next revision. */
export const storeSelling = async (db: Db, schoolId: string, values: SellingValues): Promise<SellingRow> => {
  const json = (part: keyof SellingValues) => sql`${JSON.stringify(values[part])}::jsonb`
  await db.run(sql`
    insert into school_selling as w (school_id, legal, tax, checkout, subscriptions, comments, revision, updated_at)
    values (${schoolId}, ${json('legal')}, ${json('tax')}, ${json('checkout')}, ${json('subscriptions')},
      ${json('comments')}, 2, (select stoa.now()))
    on conflict (school_id) do update set legal = excluded.legal, tax = excluded.tax, checkout = excluded.checkout,
      subscriptions = excluded.subscriptions, comments = excluded.comments, revision = w.revision + 1,
      updated_at = excluded.updated_at`)
  return getSelling(db, schoolId)
}

/** Whether a school has changed its seller settings. */
export const hasSelling = async (db: Db, schoolId: string): Promise<boolean> =>
  (await db.first(sql`select from school_selling where school_id = ${schoolId}`)) !== undefined
