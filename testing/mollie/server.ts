// One thing: a server of ours that speaks nine calls of Mollie's API v2, with its books, its pages and its notices.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Call, Fault, Post, RunningProvider } from '../payment-suite/provider.ts'
import { actOn } from './actions.ts'
import { buildError } from './answers.ts'
import { type BookedPayment, type Books, createBooks, readNow } from './books.ts'
import { type Answer, findCall, type MollieCall } from './calls.ts'
import { createControls } from './controls.ts'
import { createSender, type Sender } from './notices.ts'
import { findTarget, readPressed, renderPayment } from './pages.ts'

/** A request that arrived, and how it was answered. */
export type Exchange = {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly sent: unknown
  readonly status: number
  readonly answered: unknown
}

/** The server, with what only Mollie has. */
export type MollieServer = RunningProvider & {
  readonly books: Books
  /** The requests that were answered, in their order. */
  readonly exchanges: readonly Exchange[]
}

/** How the server is started. */
type Settings = {
  readonly post: Post
  /** Whether it can call an address; Mollie cannot call this computer, and neither can the server unless this says so. */
  readonly reaches?: (url: string) => boolean
}

type Running = {
  readonly books: Books
  readonly sender: Sender
  readonly reaches: (url: string) => boolean
  readonly exchanges: Exchange[]
  readonly faults: Map<Call, Fault>
  readonly counts: Map<Call, number>
  released: PromiseWithResolvers<void>
  origin: string
  key: string
}

const LOCAL = /^(?:localhost|127\..*|\[::1\]|.*\.localhost)$/

const isElsewhere = (url: string): boolean => {
  const { hostname, protocol } = new URL(url)
  return protocol === 'https:' && !LOCAL.test(hostname)
}

const readBody = async (incoming: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

const KEYS_LAST_MS = 3600 * 1000

// What had an effect is answered in the same way for an hour; another request with the same key is refused.
const answerOnce = (books: Books, key: string | undefined, fingerprint: string, answer: () => Answer): Answer => {
  const now = readNow(books).getTime()
  for (const [old, { at }] of books.kept) if (now - at >= KEYS_LAST_MS) books.kept.delete(old)
  const earlier = key === undefined ? undefined : books.kept.get(key)
  if (earlier !== undefined && earlier.fingerprint !== fingerprint)
    return buildError(422, 'Unprocessable Entity', 'The idempotency key was used for another request.')
  if (earlier !== undefined) return earlier.answer
  const given = answer()
  if (key !== undefined && given.status < 300) books.kept.set(key, { fingerprint, at: now, answer: given })
  return given
}

const reply = (outgoing: ServerResponse, { status, body }: Answer, headers: Record<string, string> = {}): void => {
  outgoing.writeHead(status, { 'content-type': 'application/hal+json', ...headers })
  outgoing.end(body === undefined ? undefined : JSON.stringify(body))
}

const unknownKey = buildError(401, 'Unauthorized Request', 'Missing authentication, or failed to authenticate')
const unknownCall = buildError(404, 'Not Found', 'There is no such call.')
const unavailable = buildError(500, 'Internal Server Error', 'An internal server error occurred.')
const busy = buildError(429, 'Too Many Requests', 'Too many requests were sent.')

type Received = { readonly incoming: IncomingMessage; readonly url: URL; readonly text: string }

// The answer, after the effect, with the notice that follows from it.
const perform = async (
  running: Running,
  received: Received,
  call: MollieCall,
  ids: readonly string[],
): Promise<Answer> => {
  const { books, sender, reaches, origin, exchanges } = running
  const { incoming, url, text } = received
  const { method = 'GET' } = incoming
  const key = incoming.headers['idempotency-key']
  const sent = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
  await sender.expire()
  const asked = { books, place: { origin }, reaches, ids, query: url.searchParams, sent }
  const fingerprint = `${method} ${url.pathname} ${text}`
  const answer = answerOnce(books, key?.toString(), fingerprint, () => call.answer(asked))
  exchanges.push({ method, path: `${url.pathname}${url.search}`, sent, status: answer.status, answered: answer.body })
  const ended = method === 'DELETE' ? books.payments.get(ids[0] ?? '') : undefined
  if (ended?.status === 'canceled') await sender.send(ended)
  return answer
}

const takeFault = ({ faults, counts }: Running, call: MollieCall, text: string): Fault | undefined => {
  const name = typeof call.name === 'function' ? call.name(text) : call.name
  if (name === undefined) return undefined
  const fault = faults.get(name)
  counts.set(name, (counts.get(name) ?? 0) + 1)
  faults.delete(name)
  return fault
}

const answerApi = async (running: Running, incoming: IncomingMessage, outgoing: ServerResponse, url: URL) => {
  const text = await readBody(incoming)
  const found = findCall(incoming.method ?? 'GET', url.pathname)
  if (incoming.headers.authorization !== `Bearer ${running.key}`) return reply(outgoing, unknownKey)
  if (found === undefined) return reply(outgoing, unknownCall)
  const fault = takeFault(running, found.call, text)
  if (fault === 'hanging') await running.released.promise
  if (fault === 'error' || fault === 'hanging') return reply(outgoing, unavailable)
  if (fault === 'busy') return reply(outgoing, busy, { 'retry-after': '1' })
  const answer = await perform(running, { incoming, url, text }, found.call, found.ids)
  if (fault === 'held') await running.released.promise
  if (fault === 'lost') return void outgoing.socket?.destroy()
  return reply(outgoing, answer)
}

type Shown = { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse; readonly payment: BookedPayment }

const answerPage = async ({ books, sender }: Running, { incoming, outgoing, payment }: Shown): Promise<void> => {
  await sender.expire()
  const action = incoming.method === 'POST' ? readPressed(new URLSearchParams(await readBody(incoming))) : undefined
  if (action === undefined) {
    outgoing.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(renderPayment(payment))
    return
  }
  if (actOn(books, payment, action)) await sender.send(payment)
  outgoing.writeHead(303, { location: findTarget(payment, action) ?? `/checkout/${payment.id}` }).end()
}

const PAGE = /^\/checkout\/([^/]+)$/

const answer = async (running: Running, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
  const url = new URL(incoming.url ?? '/', running.origin)
  const payment = running.books.payments.get(PAGE.exec(url.pathname)?.[1] ?? '')
  try {
    if (payment === undefined) await answerApi(running, incoming, outgoing, url)
    else await answerPage(running, { incoming, outgoing, payment })
  } catch (error) {
    if (!outgoing.headersSent) outgoing.writeHead(409, { 'content-type': 'text/plain' })
    outgoing.end(String(error))
  }
}

// The key says where the server is, so that an adapter in another process finds it.
const buildKey = (port: number): string => `test_${String(port).padStart(30, '0')}`

/** Starts the server on a port of the loopback interface. */
export const startMollie = async ({ post, reaches = isElsewhere }: Settings): Promise<MollieServer> => {
  const books = createBooks()
  const running: Running = {
    books,
    sender: createSender(books, post),
    reaches,
    exchanges: [],
    faults: new Map(),
    counts: new Map(),
    released: Promise.withResolvers(),
    origin: '',
    key: '',
  }
  const listening = createServer((incoming, outgoing) => {
    outgoing.setHeader('date', readNow(books).toUTCString())
    void answer(running, incoming, outgoing)
  })
  await new Promise<void>(resolve => listening.listen(0, '127.0.0.1', resolve))
  const { port } = listening.address() as AddressInfo
  Object.assign(running, { origin: `http://127.0.0.1:${port}`, key: buildKey(port) })
  const release = (): void => {
    running.released.resolve()
    running.released = Promise.withResolvers()
  }
  return {
    origin: running.origin,
    books,
    exchanges: running.exchanges,
    secrets: { api_key: running.key },
    controls: createControls(books, running.sender, {
      fail: (call, fault) => void running.faults.set(call, fault),
      release,
      countRequests: call => running.counts.get(call) ?? 0,
    }),
    stop: async () => {
      release()
      listening.closeAllConnections()
      await new Promise(resolve => listening.close(resolve))
    },
  }
}
