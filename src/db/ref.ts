import type { Statement } from '#src/contract/db.ts'
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

/** Makes room for a slug: the first that nothing of a table has, of the one wanted and the same with a number. */
export const slugCandidates = (wanted: string): string[] => [
  wanted,
  ...Array.from({ length: 98 }, (_, index) => `${wanted}-${index + 2}`),
]
