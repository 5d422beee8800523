import assert from 'node:assert/strict'
import { defaults } from '#src/areas/school/selling/settings/rules.ts'
import type { SellingValues } from '#src/areas/school/selling/settings/schema.ts'
import type { TestApp } from './app.ts'

type Parts = { readonly [Part in keyof SellingValues]?: Partial<SellingValues[Part]> }

// Invoices show who the school is in law, so that it is as a request would have it.
type SomeSettings = { readonly [Part in keyof Parts]?: object } & Pick<Parts, 'legal'>

/** Stores seller settings of the first school: the defaults with these parts. */
export const sellingSettings =
  (app: Pick<TestApp, 'database'> & { readonly a: { readonly id: string } }) =>
  async (parts: SomeSettings): Promise<void> => {
    const { database, a } = app
    const columns = ['legal', 'tax', 'checkout', 'subscriptions', 'comments'] as const
    const values = columns.map(name => JSON.stringify({ ...defaults[name], ...parts[name] }))
    const rows = await database.query(
      `insert into school_selling (school_id, legal, tax, checkout, subscriptions, comments, revision, updated_at)
       values ($1, $2, $3, $4, $5, $6, 2, stoa.now())
       on conflict (school_id) do update set legal = excluded.legal, tax = excluded.tax, checkout = excluded.checkout,
         comments = excluded.comments,
         revision = school_selling.revision + 1
       returning revision`,
      [a.id, ...values],
    )
    assert.equal(rows.length, 1)
  }
