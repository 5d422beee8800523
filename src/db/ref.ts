import type { Db, Statement } from '#src/contract/db.ts'
import { fromId, type IdPrefix } from '#src/kit/ids.ts'
import { sql } from './sql.ts'

/** The columns a thing can be found by. */
export type RefColumns = { readonly id: Statement; readonly external?: Statement; readonly slug?: Statement }

/** The condition that a row is the one a path names: by id, `external:…` or `slug:…`. */
export const isNamed = (prefix: IdPrefix, ref: string, columns: RefColumns): Statement => {
  const [kind = '', ...rest] = ref.split(':')
  const value = rest.join(':')
  if (kind === 'external' && columns.external !== undefined) return sql`${columns.external} = ${value}`
  if (kind === 'slug' && columns.slug !== undefined) return sql`${columns.slug} = ${value}`
  return sql`${columns.id} = ${fromId(prefix, ref)}::uuid`
}

const SLUG_NUMBERS = 99

/** The slugs to try for a new resource, in order: the wanted one, then with a number, and last with a part of its id. */
export const slugCandidates = (wanted: string, id: string): string[] => [
  wanted,
  ...Array.from({ length: SLUG_NUMBERS - 1 }, (_, index) => `${wanted}-${index + 2}`),
  `${wanted}-${id.replaceAll('-', '').slice(-12)}`,
]

/**
 * Waits until no other transaction chooses a slug from the same candidates, and keeps others waiting until this one ends.
 * Slugs that differ only in their numbers share a lock: `rye-2` is a candidate for `rye`.
 */
export const lockSlug = async (db: Db, schoolId: string, kind: 'course' | 'lecturer', slug: string): Promise<void> => {
  const key = `slug ${schoolId} ${kind} ${slug.replace(/(?:-\d+)+$/, '')}`
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
}
