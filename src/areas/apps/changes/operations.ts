import { readPaths } from '#src/areas/apps/webhooks/index.ts'
import { buildEnvelope } from '#src/contract/fact-envelope.ts'
import { operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidParameter } from '#src/contract/problems.ts'
import { readCursor, writeCursor } from '#src/kit/cursor.ts'
import { listFacts, readFeed } from './queries.ts'
import { positionExpired, resolveTypes } from './rules.ts'
import { ChangePage, ChangesQuery } from './schema.ts'

const LIMIT = 25
// A page of few types looks at a bounded number of facts, and says that it goes on.
const LOOKED_AT = 5000

type Feed = Awaited<ReturnType<typeof readFeed>>

const expired = (): Refusal =>
  new Refusal(
    positionExpired,
    'The position is from before a restore or the beginning of the feed. List the resources with their own after=0, and go on from after=now.',
  )

/** Where a request goes on: after a number in an era, from the beginning, or from now. */
type Position = { readonly era: string; readonly sequence: number } | 'beginning' | 'now'

const parsePosition = (name: string, after: string | undefined): Position => {
  if (after === undefined) return 'beginning'
  if (after === 'now') return 'now'
  const [era, sequence, ...rest] = readCursor(name, after) ?? []
  if (era === undefined || rest.length > 0 || sequence === undefined || !/^\d{1,15}$/.test(sequence))
    throw new Refusal(invalidParameter, 'The position in after is not one of this feed.')
  return { era, sequence: Number(sequence) }
}

const findStart = (position: Position, feed: Feed): number => {
  if (position === 'beginning') return feed.opens_after
  if (position === 'now') return feed.last
  if (position.era !== feed.era || position.sequence < feed.opens_after) throw expired()
  return position.sequence
}

const listChanges = operation({
  id: 'listChanges',
  route: 'GET /school/changes',
  summary: 'List changes',
  description:
    'Lists what happened in the school, in the order of commits: the same facts that webhooks are sent, and those about webhooks. A fact says what it is about; the resource is read at its `href`. Go on with `next_after`; with `wait` an answer without facts waits for the next one.',
  scope: 'school:read',
  section: 'school',
  who: 'staff',
  mode: 'read',
  query: ChangesQuery,
  returns: ChangePage,
  fails: [positionExpired],
  waits: ({ wait = 0 }, { data, has_more, next_after }) =>
    wait === 0 || data.length > 0 || has_more ? undefined : { seconds: wait, after: next_after },
  async handle({ db, school, caller, query, operationId, requireScope }) {
    const { unknown, needed, types } = resolveTypes(query.types, caller.scopes)
    if (unknown !== undefined)
      throw new Refusal(invalidParameter, 'The parameter types names what is no type of fact; see /facts.json.')
    for (const { scope, entry } of needed) requireScope(scope, `The type ${entry}`)
    const name = `${school.id}\n${operationId}`
    const position = parsePosition(name, query.after)
    const limit = query.limit ?? LIMIT
    const list = (after: number) => listFacts(db, school.id, { after, until: after + LOOKED_AT, types }, limit + 1)
    // Both are sent without waiting for each other (decision 2). What was numbered between them comes with the next page.
    const [feed, early] = await Promise.all([
      readFeed(db, school.id),
      typeof position === 'string' ? undefined : list(position.sequence),
    ])
    const after = findStart(position, feed)
    const until = Math.max(after, Math.min(after + LOOKED_AT, feed.last))
    const found = (early ?? (await list(after))).filter(({ sequence }) => Number(sequence) <= until)
    const shown = found.slice(0, limit)
    const isFull = found.length > limit
    const next = isFull ? Number(shown.at(-1)?.sequence) : until
    const [findPath = () => undefined] = await readPaths.call(undefined, { db, school })
    return {
      data: shown.flatMap(fact => buildEnvelope(school, fact, findPath) ?? []),
      next_after: writeCursor(name, [feed.era, String(next)]),
      has_more: isFull || until < feed.last,
    }
  },
})

/** The feed of changes. */
export const changeOperations = [listChanges]
