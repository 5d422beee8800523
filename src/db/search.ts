import type { Db } from '#src/contract/db.ts'
import { searchedWords } from '#src/kit/search-words.ts'
import { sql } from './sql.ts'

/** Something public that a search found: by its name (weight 1) or only by its body (weight 2). */
export type SearchResult = {
  readonly kind: string
  readonly id: string
  readonly weight: number
  readonly listed_at: Date
}

/** A search of the site over several kinds of resources, after a result of the page before. */
type SiteSearch = {
  readonly kinds: readonly string[]
  readonly q: string
  readonly rows: number
  readonly after?: SearchResult | undefined
}

/**
 * What is public in the school of the connection and has words that begin with each of the words of `q`: found by name
 * first, then the newest first. Empty when `q` has no words.
 */
export const searchAll = (db: Db, { kinds, q, rows, after }: SiteSearch): Promise<SearchResult[]> =>
  db.all(sql<SearchResult>`
    select kind, id, weight, listed_at
    from stoa.search_all(${kinds}::text[], ${searchedWords(q)}, ${rows}, ${after?.weight ?? null}::integer,
      ${after?.listed_at ?? null}::timestamptz, ${after?.id ?? null}::uuid)`)
