import type { IncomingMessage } from 'node:http'
import { performance } from 'node:perf_hooks'
import { createQueue, type Others, type Place } from '#src/db/queue.ts'
import { limits } from './limits.ts'

/** Lets the requests of schools take turns in this process. */
type Entrance = {
  /** Handles a request of a school when it is its turn; rejects with `Busy` when that takes too long. */
  handle<T>(raw: IncomingMessage, schoolId: string, work: () => Promise<T>): Promise<T>
}

// How many requests may be handled at once: all that are allowed for a school that is alone, and for several as few as keep the
// event loop busy, so that each waits for few of the others.
const createWidth = () => {
  const { places, look, busy } = limits.entrance
  let width: number = places
  let before = performance.eventLoopUtilization()
  let lookedAt = performance.now()
  return (others: Others): number => {
    if (others === 'none') return places
    const now = performance.now()
    if (now - lookedAt < look) return width
    const { utilization } = performance.eventLoopUtilization(before)
    before = performance.eventLoopUtilization()
    lookedAt = now
    width = utilization > busy ? Math.max(1, width >> 1) : Math.min(places, width + 1)
    return width
  }
}

const entered = new WeakMap<IncomingMessage, Place>()

/** Creates the queue in front of all work on requests that have a school. */
export const createEntrance = (): Entrance => {
  const { places, spare, recent, wait } = limits.entrance
  const queue = createQueue({ places, spare, width: createWidth(), slowCounts: 0, recent, wait })
  return {
    handle: (raw, schoolId, work) =>
      queue.run(schoolId, context => {
        entered.set(raw, context)
        return work()
      }),
  }
}

/** Gives up the place of a request for good, since it waits for other programs or for bytes most of the time. */
export const leaveEntrance = (raw: IncomingMessage): void => entered.get(raw)?.leave()

/** Gives up the place of a request while it waits for something; rejects with `Busy` when it gets none again in time. */
export const whileAway = async <T>(raw: IncomingMessage, wait: () => Promise<T>): Promise<T> => {
  const place = entered.get(raw)
  place?.leave()
  const value = await wait()
  await place?.enter()
  return value
}

/** Gives up the place of a request until the rest of its body has been read. */
export const whileReceiving = <T>(raw: IncomingMessage, read: () => Promise<T>): Promise<T> =>
  raw.complete ? read() : whileAway(raw, read)
