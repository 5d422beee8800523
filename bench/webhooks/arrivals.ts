import { EventEmitter, once } from 'node:events'
import { startReceiver } from '#testing/receiver.ts'

const PATIENCE_MS = 300_000
const REACHED = 'reached'

/** A receiver that says when something arrives. */
export type Arrivals = {
  readonly url: string
  /** Waits until so many arrive from now on. */
  reach(count: number): Promise<unknown>
  /** Waits for the next one about a member. */
  about(memberId: string): Promise<unknown>
  stop(): Promise<void>
}

/** Starts a receiver in this process that takes everything and keeps nothing. */
export const startArrivals = async (): Promise<Arrivals> => {
  const receiver = await startReceiver()
  const told = new EventEmitter()
  let awaited = Number.POSITIVE_INFINITY
  receiver.answer(({ json }, response) => {
    response.writeHead(204).end()
    if (receiver.received.length >= awaited) told.emit(REACHED)
    const memberId = json.data?.member_id
    if (typeof memberId === 'string') told.emit(memberId)
  })
  const next = (name: string) => once(told, name, { signal: AbortSignal.timeout(PATIENCE_MS) })
  return {
    url: receiver.url,
    reach: count => {
      receiver.received.length = 0
      awaited = count
      return next(REACHED)
    },
    about: memberId => {
      receiver.received.length = 0
      return next(memberId)
    },
    stop: () => receiver.stop(),
  }
}
