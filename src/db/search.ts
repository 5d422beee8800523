import type { Db, Statement } from '#src/contract/db.ts'
import type { Sweep } from '#src/contract/sweep.ts'
import { sortNearest } from '#src/kit/nearest.ts'
import { fold } from '#src/kit/text.ts'
import { sql } from './sql.ts'

/**
 * The kinds of resources that may be public, in the order in which a search of the site finds them: what somebody can take
 * part in, who teaches it, and then what is said of it.
 */
export const publicKinds = [
  'course',
  'event',
  'digital_product',
  'membership_plan',
  'lecturer',
  'page',
  'post',
] as const

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
 * first, then in the order of the kinds, then the newest first. Empty when `q` has no words.
 */
export const searchAll = (db: Db, { kinds, q, rows, after }: SiteSearch) =>
  db.all(sql<SearchResult>`
    select kind, id, weight, listed_at
    from stoa.search_all(${kinds}::text[], ${fold(q)}, ${rows}, ${after?.weight ?? null}::integer,
      ${after?.kind ?? null}::text, ${after?.listed_at ?? null}::timestamptz, ${after?.id ?? null}::uuid)`)

// Of the terms that have most parts in common with a word, so many are compared with it.
const COMPARED = 50

/**
 * What `q` may have been meant to be, the most likely first, at most `most` searches: words that nothing public has are
 * replaced by words of public names that are written like them. Empty when there are none; some may find nothing.
 */
export const suggestSearches = async (db: Db, q: string, most: number): Promise<string[]> => {
  const words = await db.all(sql<{ word: string; terms: readonly string[] }>`
    select word, terms from stoa.near_terms(${publicKinds}::text[], ${fold(q)}, ${COMPARED})`)
  const near = words.map(({ word, terms }) => ({ word, nearest: sortNearest(word, terms) }))
  const searches = Array.from({ length: most }, (_, place) =>
    near.map(({ word, nearest }) => nearest[place] ?? nearest.at(-1) ?? word).join(' '),
  )
  return [...new Set(searches)].filter(one => one !== words.map(({ word }) => word).join(' '))
}

/** Removes the words by which searches are corrected and that no public name has any longer. */
export const sweepTerms: Sweep = async (db, _schoolId, { most, after }) => {
  const { last } = await db.one(sql<{ last: string | null }>`
    select stoa.sweep_search_terms(${publicKinds}::text[], ${most}, ${after ?? null}::text) as last`)
  return last ?? undefined
}

/** What a search for words found: the ids of few, or how large a part of the school it is. */
export type FoundWords = readonly string[] | 'many' | 'most'

// Few are looked up by id, many are collected and sorted, and most are a checked condition of the list.
const FEW = 2000

const MANY = 10_000

/** What words find among the entries of a kind, reading no more than the choice of the plan needs. */
export const findWords = async (db: Db, kind: string, q: string): Promise<FoundWords> => {
  const { count, ids } = await db.one(sql<{ count: number; ids: readonly string[] | null }>`
    with met as materialized (select id from stoa.search_some(${kind}, ${fold(q)}, ${MANY + 1}) as id)
    select count(*)::integer as count, case when count(*) <= ${FEW} then array_agg(id) end as ids from met`)
  if (count <= FEW) return ids ?? []
  return count > MANY ? 'most' : 'many'
}

/** The condition that a row is among what words find, by the column of its id; without `found` all of that is collected. */
export const isFound = (
  { kind, id }: { readonly kind: string; readonly id: Statement },
  q: string,
  found: FoundWords | undefined,
): Statement => {
  if (found === 'most') return sql`stoa.is_found(${kind}, ${id}, (select stoa.search_asked(${kind}, ${fold(q)})))`
  if (found === undefined || found === 'many')
    return sql`${id} in (select stoa.search(${kind}, ${fold(q)}, null, null))`
  // An empty list would let the planner take any partial index for as good as the key.
  return found.length === 0 ? sql`false` : sql`${id} = any (${found}::uuid[])`
}
