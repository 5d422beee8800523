import type { IncomingMessage } from 'node:http'
import type { Content } from '#src/contract/multi-step.ts'
import { Refusal } from '#src/contract/problem.ts'
import { payloadTooLarge, requestTimeout, unavailable, unsupportedMediaType } from '#src/contract/problems.ts'
import { type Claimant, createSlots } from '#src/kit/slots.ts'
import { hasBody } from './body.ts'
import { onClientError } from './client-error.ts'
import { limits } from './limits.ts'

// Requests whose body is a file, which takes as long as it keeps coming.
const patient = new WeakSet<IncomingMessage>()

/** Ends a request whose body has not come in time, as Node itself would. */
export const guardSlow = (raw: IncomingMessage): void => {
  if (!hasBody(raw)) return
  const late = setTimeout(() => {
    if (raw.complete || patient.has(raw)) return
    onClientError(Object.assign(new Error('slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), raw.socket)
  }, limits.requestTimeout)
  late.unref()
  raw.once('close', () => clearTimeout(late))
}

const close = { headers: { connection: 'close' } }

const tooLarge = (most: number): Refusal => new Refusal(payloadTooLarge, `At most ${most} bytes are expected.`, close)

const tooSlow = (): Refusal => new Refusal(requestTimeout, 'The bytes came too slowly.', close)

// Waits for the next bytes, so long as the time spent waiting has brought enough.
const pace = () => {
  const so = { waited: 0, bytes: 0 }
  return async <T>(next: Promise<T>, sizeOf: (value: T) => number): Promise<T> => {
    const began = performance.now()
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(tooSlow()), limits.contentWait - so.waited)
    try {
      const value = await Promise.race([next, late.promise])
      so.waited += performance.now() - began
      so.bytes += sizeOf(value)
      if (so.bytes >= limits.contentLeast) Object.assign(so, { waited: 0, bytes: 0 })
      if (so.waited >= limits.contentWait) throw tooSlow()
      return value
    } finally {
      clearTimeout(timer)
    }
  }
}

async function* bytesOf(raw: IncomingMessage, most: number, announced: number | undefined): AsyncGenerator<Uint8Array> {
  if (announced !== undefined && announced > most) throw tooLarge(most)
  // Leaving the loop must not take the connection along: a refusal has to go out over it.
  const bytes = raw.iterator({ destroyOnReturn: false })
  const inTime = pace()
  let size = 0
  for (;;) {
    const next = bytes.next()
    next.catch(() => undefined)
    const { done, value } = await inTime(next, one => (one.done ? limits.contentLeast : one.value.length))
    if (done) return
    size += value.length
    if (size > most) throw tooLarge(most)
    yield value
  }
}

const slots = createSlots(limits.uploads)

/** The body of a request as a file. */
const contentOf = (raw: IncomingMessage): Content => {
  const { 'content-length': length, 'content-range': range } = raw.headers
  const announced = length === undefined ? undefined : Number(length)
  return { length: announced, range, read: most => bytesOf(raw, most, announced) }
}

/** Does work with the body of a request as a file; refuses when too many files, or of its sender or school, are on their way already. */
export const withContent = async <T>(
  { raw, claimant }: { readonly raw: IncomingMessage; readonly claimant: Claimant },
  work: (content: Content) => Promise<T>,
): Promise<T> => {
  if ((raw.headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new Refusal(unsupportedMediaType, 'Send the file as it is, without Content-Encoding.', close)
  const giveBack = slots.take(claimant)
  if (giveBack === undefined)
    throw new Refusal(unavailable, 'Too many files are on their way.', { headers: { 'retry-after': '5' } })
  patient.add(raw)
  try {
    return await work(contentOf(raw))
  } finally {
    giveBack()
    patient.delete(raw)
  }
}
