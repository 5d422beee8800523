import type { Call, Fault } from '../payment-suite/provider.ts'

/** The calls of the port by the routes of the server; everything that is read is looked up. */
export const nameCall = (method: string, path: string): Call => {
  if (method === 'GET') return 'find'
  if (method === 'DELETE') return 'forget'
  if (path.endsWith('/expire')) return 'end'
  if (path === '/v1/payment_intents') return 'charge'
  return path === '/v1/refunds' ? 'refund' : 'begin'
}

/** `kept_error`: it has its effect and fails after it, and the failure is what is answered to its key from then on. */
type StripeFault = Fault | 'kept_error'

/** What happens to the next requests. */
export type Faults = {
  fail(call: Call, fault: StripeFault): void
  take(call: Call): StripeFault | undefined
  /** Until `release` is called. */
  held(): Promise<void>
  release(): void
}

/** No fault yet. */
export const createFaults = (): Faults => {
  const next = new Map<Call, StripeFault[]>()
  let waiting = Promise.withResolvers<void>()
  return {
    // The library repeats a request once by itself when its connection breaks, whatever it was told about retries.
    fail: (call, fault) => void next.set(call, fault === 'lost' ? [fault, fault] : [fault]),
    take: call => next.get(call)?.shift(),
    held: () => waiting.promise,
    release: () => {
      waiting.resolve()
      waiting = Promise.withResolvers<void>()
    },
  }
}
