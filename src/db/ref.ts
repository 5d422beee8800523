import type { Statement } from '#src/contract/db.ts'
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
