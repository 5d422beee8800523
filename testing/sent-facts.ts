import assert from 'node:assert/strict'
import { fromId } from '#src/kit/ids.ts'
import type { TestApp } from './app.ts'
import { isSignedWith, type Received } from './receiver.ts'

/** A webhook whose receiver has a path of its own. */
export type Sent = {
  readonly id: string
  readonly path: string
  readonly secret: string
  readonly types: readonly string[]
  /** The number of the last fact before it was created. */
  readonly after: number
}

type Numbered = { readonly id: string; readonly sequence: number }

/** The facts of the first school that a webhook has to be sent, in their order. */
export const listSentFacts = ({ a, database }: TestApp, { types, after }: Sent): Promise<Numbered[]> =>
  database.query<Numbered>(
    `select id, sequence::integer as sequence from facts
     where school_id = $1 and type = any ($2) and (sequence is null or sequence > $3) order by sequence`,
    [a.id, types, after],
  )

/** The requests for a webhook. */
export const atPath = (all: readonly Received[], { path }: Sent): Received[] => all.filter(one => one.path === path)

/** The ids in requests, each once, in their order. */
export const idsOf = (all: readonly Received[]): string[] => [...new Set(all.map(({ json }) => json.id))].sort()

/** The numbers that a receiver misses when an envelope that is new to it arrives, in the order in which it sees that. */
export const listGaps = (all: readonly Received[]): number[] => {
  const seen = new Set<number>()
  return all.flatMap(({ json: { sequence, previous } }) => {
    const isGap = !seen.has(sequence) && previous !== null && !seen.has(previous)
    seen.add(sequence)
    return isGap ? [previous] : []
  })
}

/** What the receiver got, and what it took of that. */
type Got = { readonly received: readonly Received[]; readonly taken: readonly Received[] }

const assertSame = (secret: string, previous: number | null, all: readonly Received[]): void => {
  assert.equal(new Set(all.map(({ body }) => body)).size, 1, 'one body')
  for (const one of all) {
    assert.deepEqual([one.headers['webhook-id'], one.json.previous], [one.json.id, previous])
    assert.ok(isSignedWith(secret, one))
  }
}

/**
 * Fails unless each fact was taken and is marked as delivered, came with the same id and body each time, was signed and names the
 * one before it, and each gap that the receiver saw was one of a fact that was there.
 */
export const assertAllSent = async (app: TestApp, sent: Sent, { received, taken }: Got): Promise<void> => {
  const facts = await listSentFacts(app, sent)
  const ids = facts.map(({ id }) => id).sort()
  const marked = await app.database.query<{ id: string }>(
    `select fact_id as id from webhook_deliveries where webhook_id = $1 and status = 'delivered' order by fact_id`,
    [fromId('whk', sent.id)],
  )
  assert.deepEqual(
    marked.map(({ id }) => id),
    ids,
  )
  assert.deepEqual(
    idsOf(atPath(taken, sent))
      .map(id => fromId('fct', id))
      .sort(),
    ids,
  )
  const all = atPath(received, sent)
  for (const [index, { id }] of facts.entries()) {
    const same = all.filter(({ json }) => fromId('fct', json.id) === id)
    assertSame(sent.secret, facts[index - 1]?.sequence ?? null, same)
  }
  const numbers = new Set(facts.map(({ sequence }) => sequence))
  const gaps = listGaps(atPath(taken, sent))
  assert.ok(
    gaps.every(number => numbers.has(number)),
    `gaps: ${gaps}`,
  )
}
