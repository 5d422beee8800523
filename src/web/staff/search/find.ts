import { isAtLeast } from '#src/contract/caller.ts'
import type { Pairs } from '#src/kit/form.ts'
import { texts } from '#src/texts/index.ts'
import type { StaffContext } from '../audience.ts'
import { type Hit, type Kind, kinds } from './kinds.ts'
import { findActions, findPlaces } from './places.ts'

const { groups } = texts.staff.search.common

/** What was found of one kind, and the page with all of it; null where there is no more. */
export type Hits = {
  readonly kind: keyof typeof groups
  readonly name: string
  readonly hits: readonly Hit[]
  readonly more: string | null
}

const SHOWN = 5

/** The most letters of a search. */
export const MAX_LETTERS = 200

// So many lists are read at a time: each needs a connection, and others wait for theirs too.
const AT_ONCE = 3

const findKind = async (context: StaffContext, { kind, list, find }: Kind, q: string): Promise<Hits> => {
  const query: Pairs = [
    ['q', q],
    ['limit', String(SHOWN)],
  ]
  const { hits, hasMore } = await find(context, query)
  const more = hasMore && list !== undefined ? `${list}?${new URLSearchParams({ q })}` : null
  return { kind, name: context.t(groups[kind]), hits, more }
}

const findKinds = async (context: StaffContext, q: string): Promise<Hits[]> => {
  const own = kinds.filter(({ least }) => isAtLeast(context.session.member.role, least))
  const found: Hits[] = []
  for (let at = 0; at < own.length; at += AT_ONCE)
    found.push(...(await Promise.all(own.slice(at, at + AT_ONCE).map(kind => findKind(context, kind, q)))))
  return found
}

/**
 * Finds everything that the person may open: things by the searches of their lists, pages of the console and actions by their
 * names; without words the actions alone.
 */
export const findEverything = async (context: StaffContext, words: string): Promise<Hits[]> => {
  const q = words.trim().slice(0, MAX_LETTERS)
  const group = (kind: 'actions' | 'places', hits: readonly Hit[]): Hits => ({
    kind,
    name: context.t(groups[kind]),
    hits,
    more: null,
  })
  const actions = group('actions', findActions(context, q))
  const all =
    q === '' ? [actions] : [...(await findKinds(context, q)), group('places', findPlaces(context, q)), actions]
  return all.filter(({ hits }) => hits.length > 0)
}
