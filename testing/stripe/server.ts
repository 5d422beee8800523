// One thing: the HTTP of a server that stands for Stripe: keys of the account, versions, errors, faults, and pages for buyers.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { accountCalls } from './account.calls.ts'
import type { Place } from './bank.ts'
import { newId } from './books.ts'
import { expire } from './buyer.ts'
import { type StripeCall, stripeCalls } from './calls.ts'
import { type Faults, nameCall } from './faults.ts'
import type { Answer, Keys } from './keys.ts'
import { pressButton, renderPage } from './pages.ts'
import { type Asked, checkNames, Refused, readRequest } from './request.ts'

const VERSION = '2026-10-28.endive'

/** A request by its call, with its answer. */
export type Exchange = { readonly route: StripeCall['route']; readonly asked: Asked; readonly answer: Answer }

/** What the server is made of. `isAllowed` says whether the key may do what a route does. */
export type Parts = Place & {
  readonly keys: Keys
  readonly faults: Faults
  readonly secretKey: string
  isAllowed(route: string): boolean
  /** Every request to the API, as it arrived. */
  readonly requests: Asked[]
  readonly exchanges: Exchange[]
}

const matchRoute = (route: string, { method, path }: Asked): string | undefined => {
  const [verb, pattern = ''] = route.split(' ')
  if (verb !== method) return undefined
  return (
    new RegExp(`^${pattern.replace(':id', '(?<id>[\\w-]+)')}$`).exec(path)?.slice(1)[0] ??
    (path === pattern ? '' : undefined)
  )
}

const findCall = (asked: Asked): { readonly call: StripeCall; readonly id: string } => {
  for (const call of [...stripeCalls, ...accountCalls]) {
    const id = matchRoute(call.route, asked)
    if (id !== undefined) return { call, id }
  }
  const message = `Unrecognized request URL (${asked.method}: ${asked.path}).`
  throw new Refused(404, { type: 'invalid_request_error', message }, true)
}

const checkHeaders = ({ headers }: IncomingMessage, { secretKey }: Parts): void => {
  if (headers.authorization !== `Bearer ${secretKey}`)
    throw new Refused(401, { type: 'invalid_request_error', message: 'Invalid API Key provided.' }, true)
  if (headers['stripe-version'] !== VERSION)
    throw new Refused(400, { type: 'invalid_request_error', message: 'Invalid API version.' }, true)
}

// Pages end by the clock of the server, also while nobody looks.
const endPages = (place: Place): void => {
  for (const session of place.store.sessions.values())
    if (session.status === 'open' && session.expires_at <= place.store.now()) expire(place, session)
}

const perform = (parts: Parts & { readonly origin: string }, asked: Asked, call: StripeCall, id: string): Answer => {
  const run = (): Answer => {
    try {
      return { status: 200, body: call.handle(parts, asked, id) }
    } catch (error) {
      if (!(error instanceof Refused) || error.isEarly) throw error
      return { status: error.status, body: { error: error.error } }
    }
  }
  return asked.method === 'POST' ? parts.keys.once(asked, run) : run()
}

const failed: Answer = { status: 500, body: { error: { type: 'api_error', message: 'An unknown error occurred' } } }
const busy: Answer = {
  status: 429,
  body: { error: { type: 'invalid_request_error', code: 'rate_limit', message: 'Too many requests.' } },
}

const answerWith = (outgoing: ServerResponse, { status, body, isReplayed }: Answer): void => {
  outgoing.writeHead(status, {
    'content-type': 'application/json',
    'request-id': newId('req'),
    ...(status === 429 ? { 'retry-after': '1' } : {}),
    ...(isReplayed ? { 'idempotent-replayed': 'true' } : {}),
  })
  outgoing.end(JSON.stringify(body))
}

const answerApi = async (
  parts: Parts & { readonly origin: string },
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> => {
  const asked = await readRequest(incoming)
  parts.requests.push(asked)
  checkHeaders(incoming, parts)
  const { call, id } = findCall(asked)
  if (!parts.isAllowed(call.route))
    throw new Refused(
      403,
      {
        type: 'invalid_request_error',
        code: 'more_permissions_required',
        message: 'The provided key does not have the required permissions.',
      },
      true,
    )
  checkNames(asked.fields, call.names)
  const { faults } = parts
  const fault = faults.take(nameCall(asked.method, asked.path))
  if (fault === 'hanging') await faults.held()
  if (fault === 'error' || fault === 'hanging') return answerWith(outgoing, failed)
  if (fault === 'busy') return answerWith(outgoing, busy)
  endPages(parts)
  const answer = perform(parts, asked, call, id)
  parts.exchanges.push({ route: call.route, asked, answer })
  if (fault === 'kept_error') {
    parts.keys.keep(asked, failed)
    return answerWith(outgoing, failed)
  }
  if (fault === 'held') await faults.held()
  if (fault === 'lost') outgoing.destroy()
  else answerWith(outgoing, answer)
}

const answerPage = async (place: Place, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
  endPages(place)
  const session = place.store.sessions.get((incoming.url ?? '').replace('/c/pay/', ''))
  if (session === undefined) return void outgoing.writeHead(404).end('Not found')
  if (incoming.method !== 'POST')
    return void outgoing.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(renderPage(place, session))
  const { sent } = await readRequest(incoming)
  outgoing.writeHead(303, { location: pressButton(place, session, sent) }).end()
}

/** Listens on a port of the loopback interface; returns its origin, and how to stop it. */
export const listen = async (parts: Parts): Promise<{ readonly origin: string; stop(): Promise<void> }> => {
  let origin = ''
  const handle = (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> =>
    incoming.url?.startsWith('/c/pay/')
      ? answerPage(parts, incoming, outgoing)
      : answerApi({ ...parts, origin }, incoming, outgoing)
  const server = createServer((incoming, outgoing) => {
    outgoing.setHeader('date', new Date(parts.store.now() * 1000).toUTCString())
    handle(incoming, outgoing).catch((error: unknown) => {
      if (error instanceof Refused) return answerWith(outgoing, { status: error.status, body: { error: error.error } })
      process.stderr.write(`${String(error instanceof Error ? error.stack : error)}\n`)
      outgoing.destroy()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const stop = async (): Promise<void> => {
    parts.faults.release()
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  }
  return { origin, stop }
}
