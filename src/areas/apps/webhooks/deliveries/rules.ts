import { problem } from '#src/contract/problem.ts'
import { systemRandom } from '#src/kit/crypto.ts'
import { newUuid } from '#src/kit/ids.ts'
import type { NewDelivery, ReplayedFact } from './queries.ts'

/** How many facts one replay sends at most. */
export const MAX_REPLAYED = 10_000

/** A replay has more facts than one may have. */
export const replayTooLarge = problem(
  409,
  'replay_too_large',
  'The replay has too many facts',
  'One replay sends at most 10,000 facts. Name a smaller range with `from` and `to`, and wait until it was sent before the next one.',
)

const MAX_INDEX = 4095

/** A new id of one of several rows of the same instant, in their order. */
export const idAt = (at: number, index: number): string => {
  const place = Math.min(index, MAX_INDEX)
  return newUuid(at, size => {
    const bytes = systemRandom(size)
    bytes[0] = place >> 8
    bytes[1] = place & 255
    return bytes
  })
}

/** The deliveries of facts that are sent again; `before` is the last one that was distributed before the first of them. */
export const replayDeliveries = (
  facts: readonly ReplayedFact[],
  { webhookId, before, at }: { readonly webhookId: string; readonly before: number | null; readonly at: number },
): NewDelivery[] => {
  let previous = before
  return facts.map((fact, index) => {
    const row = {
      id: fact.delivery_id ?? idAt(at, index),
      webhook_id: webhookId,
      fact_id: fact.id,
      type: fact.type,
      sequence: fact.sequence,
      previous: fact.delivery_id === null ? previous : fact.previous,
    }
    previous = fact.sequence
    return row
  })
}
