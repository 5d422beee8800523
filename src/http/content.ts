import type { IncomingMessage } from 'node:http'
import type { Content } from '#src/contract/multi-step.ts'
import { Refusal } from '#src/contract/problem.ts'
import { payloadTooLarge, requestTimeout, unavailable, unsupportedMediaType } from '#src/contract/problems.ts'
import { type Claimant, createSlots } from '#src/kit/slots.ts'
import { hasBody } from './body.ts'
import { onClientError } from './client-error.ts'
import { leaveEntrance } from './entrance.ts'
import { limits } from './limits.ts'

// Requests whose body is a file: they may take longer, as long as bytes keep arriving.
const fileRequests = new WeakSet<IncomingMessage>()

/** Ends a request whose body has not arrived in time, as Node itself would. */
export const limitBodyTime = (raw: IncomingMessage): void => {
  if (!hasBody(raw)) return
  const timer = setTimeout(() => {
    if (raw.complete || fileRequests.has(raw)) return
    onClientError(Object.assign(new Error('slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), raw.socket)
  }, limits.requestTimeout)
  timer.unref()
  raw.once('close', () => clearTimeout(timer))
}

const close = { headers: { connection: 'close' } }

const tooLarge = (maxBytes: number): Refusal =>
  new Refusal(payloadTooLarge, `The body may have at most ${maxBytes} bytes.`, close)

const tooSlow = (): Refusal => new Refusal(requestTimeout, 'The bytes arrived too slowly.', close)

// Waits for the next bytes, and refuses when too few bytes arrived in the time spent waiting.
const limitPace = () => {
  const window = { waited: 0, bytes: 0 }
  return async <T>(next: Promise<T>, computeSize: (value: T) => number): Promise<T> => {
    const began = performance.now()
    const timeout = Promise.withResolvers<never>()
    const timer = setTimeout(() => timeout.reject(tooSlow()), limits.contentWait - window.waited)
    try {
      const value = await Promise.race([next, timeout.promise])
      window.waited += performance.now() - began
      window.bytes += computeSize(value)
      if (window.bytes >= limits.contentLeast) Object.assign(window, { waited: 0, bytes: 0 })
      if (window.waited >= limits.contentWait) throw tooSlow()
      return value
    } finally {
      clearTimeout(timer)
    }
  }
}

async function* readBytes(
  raw: IncomingMessage,
  maxBytes: number,
  announced: number | undefined,
): AsyncGenerator<Uint8Array> {
  if (announced !== undefined && announced > maxBytes) throw tooLarge(maxBytes)
  // Leaving the loop must not destroy the connection, over which a refusal is sent.
  const bytes = raw.iterator({ destroyOnReturn: false })
  const inTime = limitPace()
  let size = 0
  for (;;) {
    const next = bytes.next()
    next.catch(() => undefined)
    const { done, value } = await inTime(next, one => (one.done ? limits.contentLeast : one.value.length))
    if (done) return
    size += value.length
    if (size > maxBytes) throw tooLarge(maxBytes)
    yield value
  }
}

const slots = createSlots(limits.uploads)
const anonymousSlots = createSlots(limits.anonymousUploads)

/** Who sends a file: a member, or a network without a token. */
export type ContentClaimant = Claimant & { readonly isAnonymous: boolean }

// Anonymous callers share a few of the slots, so that they cannot take those of members.
const takeSlot = ({ isAnonymous, ...claimant }: ContentClaimant): (() => void) | undefined => {
  if (!isAnonymous) return slots.take(claimant)
  const giveBackShare = anonymousSlots.take(claimant)
  if (giveBackShare === undefined) return undefined
  const giveBack = slots.take(claimant)
  if (giveBack === undefined) {
    giveBackShare()
    return undefined
  }
  return () => {
    giveBack()
    giveBackShare()
  }
}

/** The body of a request as a file. */
const readContent = (raw: IncomingMessage): Content => {
  const { 'content-length': length, 'content-range': range } = raw.headers
  const announced = length === undefined ? undefined : Number(length)
  return { length: announced, range, read: maxBytes => readBytes(raw, maxBytes, announced) }
}

/** Runs a function with the body of a request as a file; refuses when the caller, the school or all together upload too many files. */
export const withContent = async <T>(
  { raw, claimant }: { readonly raw: IncomingMessage; readonly claimant: ContentClaimant },
  run: (content: Content) => Promise<T>,
): Promise<T> => {
  if ((raw.headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new Refusal(unsupportedMediaType, 'Send the file as it is, without Content-Encoding.', close)
  const giveBack = takeSlot(claimant)
  if (giveBack === undefined)
    throw new Refusal(unavailable, 'Too many files are being uploaded.', { headers: { 'retry-after': '5' } })
  fileRequests.add(raw)
  leaveEntrance(raw)
  try {
    return await run(readContent(raw))
  } finally {
    giveBack()
    fileRequests.delete(raw)
  }
}
