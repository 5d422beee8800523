import type { Db, Statement } from '#src/contract/db.ts'
import { isUuid } from '#src/kit/ids.ts'
import { cleanTyped } from '#src/kit/text.ts'
import { sql } from './sql.ts'

/** The columns by which a path can identify a resource. */
type RefColumns = { readonly id: Statement; readonly external?: Statement; readonly slug?: Statement }

/** The condition that a row is the one in a reference: its UUID, `external:…` or `slug:…`. */
export const isNamed = (ref: string, columns: RefColumns): Statement => {
  if (isUuid(ref)) return sql`${columns.id} = ${ref}::uuid`
  const [kind = '', ...rest] = ref.split(':')
  const value = cleanTyped(rest.join(':').normalize('NFC'))
  if (kind === 'external' && columns.external !== undefined) return sql`${columns.external} = ${value}`
  if (kind === 'slug' && columns.slug !== undefined) return sql`${columns.slug} = ${value}`
  if (kind === ref) throw new Error(`${ref} is not the UUID of a row`)
  return sql`${columns.id} = ${null}::uuid`
}

const SLUG_NUMBERS = 99

/**
 * The slugs to try for a new resource, in order: the desired one, then with a number, and last with a part of its id.
 */
export const slugCandidates = (slug: string, id: string): string[] => [
  slug,
  ...Array.from({ length: SLUG_NUMBERS - 1 }, (_, index) => `${slug}-${index + 2}`),
  `${slug}-${id.replaceAll('-', '').slice(-12)}`,
]

/**
 * Waits until no other transaction chooses a slug from the same candidates, and keeps others waiting until this one
 * ends. Slugs that differ only in their numbers share a lock: `rye-2` is a candidate for `rye`.
 */
export const lockSlug = async (
  db: Db,
  schoolId: string,
  kind: 'course' | 'digital_product' | 'event' | 'lecturer' | 'membership_plan' | 'post',
  slug: string,
): Promise<void> => {
  const key = `slug ${schoolId} ${kind} ${slug.replace(/(?:-\d+)+$/, '')}`
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
}
