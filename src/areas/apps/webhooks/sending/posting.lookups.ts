import { createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { JobParts } from '#src/contract/area.ts'
import type { School } from '#src/contract/school.ts'
import { AddressRefused, NameFailed, type OutsideRequest, sendOnLoopback, sendOutside } from '#src/outbound/index.ts'
import { isLocalReceiver } from '../webhook/rules.ts'
import { type Outcome, outcomeOfAnswer, wordOfError } from './rules.ts'

const PATIENCE_MS = 15_000
const MAX_READ = 4096

/** What is posted: an id, the same each time, and a body in JSON, signed with each of these secrets. */
type Message = { readonly id: string; readonly body: string; readonly secrets: readonly Buffer[] }

// Standard Webhooks 1.0, "Signature scheme".
const buildHeaders = ({ id, body, secrets }: Message, timestamp: number): Record<string, string> => {
  const sign = (secret: Buffer): string =>
    createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    'content-type': 'application/json',
    'user-agent': 'Stoa',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map(secret => `v1,${sign(secret)}`).join(' '),
  }
}

// Nothing of it is kept: a receiver that is read to its end can use the connection as it likes.
const readLittle = async (response: IncomingMessage): Promise<void> => {
  let size = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > MAX_READ) return
    }
  } catch {
    // The status has decided the outcome.
  }
}

const findWord = (error: unknown, signal: AbortSignal): string => {
  if (signal.aborted) return 'timeout'
  if (error instanceof NameFailed) return 'name'
  return error instanceof AddressRefused ? 'address' : wordOfError(error)
}

/** Posts a message to a receiver, for `patience` milliseconds at most, and returns how it went, and how many it took. */
export const postMessage = async (
  {
    outside,
    readClock,
    school,
  }: Pick<JobParts, 'outside' | 'readClock'> & { readonly school: Pick<School, 'baseUrl'> },
  address: string,
  message: Message,
  patience = PATIENCE_MS,
): Promise<{ readonly outcome: Outcome; readonly duration: number }> => {
  const url = new URL(address)
  const start = performance.now()
  const signal = AbortSignal.timeout(patience)
  const isLocal = isLocalReceiver(school, url)
  const outgoing: OutsideRequest = {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || (isLocal ? 80 : 443)),
    path: `${url.pathname}${url.search}`,
    method: 'POST',
    // Receivers compare it with their own clocks.
    headers: buildHeaders(message, Math.floor(readClock().getTime() / 1000)),
    body: message.body,
    signal,
  }
  try {
    const response = await (isLocal ? sendOnLoopback(outgoing) : sendOutside(outside, outgoing))
    await readLittle(response)
    response.destroy()
    const outcome = outcomeOfAnswer(response.statusCode ?? 0, response.headers['retry-after'], readClock())
    return { outcome, duration: performance.now() - start }
  } catch (error) {
    return { outcome: { result: 'failed', word: findWord(error, signal) }, duration: performance.now() - start }
  }
}
