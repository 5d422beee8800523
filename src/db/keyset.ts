import type { Statement } from '#src/contract/db.ts'
import { sql } from './sql.ts'

/** A column that a list can be sorted by, never null, and the cast of a position's text to its type. */
export type SortKey = { readonly column: Statement; readonly cast: (text: string) => Statement }

/** A text column to sort by. */
export const byText = (column: Statement): SortKey => ({ column, cast: text => sql`${text}::text` })

/** A whole number to sort by. */
export const byInteger = (column: Statement): SortKey => ({ column, cast: text => sql`${text}::integer` })

/** An instant to sort by. */
export const byInstant = (column: Statement): SortKey => ({ column, cast: text => sql`${text}::timestamptz` })

/** The order of a list, the opposite order, and the condition that rows come after a position. */
export type Keyset = { readonly order: Statement; readonly reversed: Statement; readonly behind: Statement | undefined }

const uuid = (text: string | undefined): Statement => sql`${text}::uuid`

/**
 * Keyset pagination with the id as the tie-break; without a sort key the id is the order. `after` is the position: the
 * sort key's text, if there is one, and the id.
 */
export const keyset = (
  id: Statement,
  { key, isDescending }: { readonly key?: SortKey | undefined; readonly isDescending: boolean },
  after: readonly string[] | undefined,
): Keyset => {
  const order = isDescending ? sql`desc` : sql`asc`
  const opposite = isDescending ? sql`asc` : sql`desc`
  const beyond = isDescending ? sql`<` : sql`>`
  if (key === undefined)
    return {
      order: sql`${id} ${order}`,
      reversed: sql`${id} ${opposite}`,
      behind: after && sql`${id} ${beyond} ${uuid(after[0])}`,
    }
  const { column, cast } = key
  return {
    order: sql`${column} ${order}, ${id} ${order}`,
    reversed: sql`${column} ${opposite}, ${id} ${opposite}`,
    behind: after && sql`(${column}, ${id}) ${beyond} (${cast(after[0] ?? '')}, ${uuid(after[1])})`,
  }
}
