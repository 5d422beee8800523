// One thing: a provider of payments in a server of its own, with the faults that networks and providers have.
import { createHmac, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { area } from '#src/contract/area.ts'
import { implement, registerHooks } from '#src/contract/hook.ts'
import {
  type BeginInput,
  type BegunPage,
  type Checked,
  type CheckInput,
  type Connected,
  chargeable,
  type Finding,
  type FindingCode,
  type FoundPayment,
  type Outcome,
  type Provider,
  type ProviderEvent,
  paymentProvider,
} from '#src/contract/payments.ts'
import { inEach } from '#src/texts/index.ts'

const TIMEOUT_MS = 2000
const FRESH_MS = 300_000

/** What the server does with the next request to a path instead of answering it. */
export type Fault =
  /** It has the effect, and answers with an error. */
  | 'lost'
  /** It has no effect, and answers with an error. */
  | 'error'
  /** It has the effect, and answers when it is released. */
  | 'held'
  /** It has no effect, and answers with an error when it is released. */
  | 'swallowed'

/** A payment in the books of the server. */
type Booked = {
  readonly id: string
  readonly ref: string
  readonly amount: number
  readonly currency: string
  state: Outcome['state']
  received: number
  receivedCurrency: string
  failure?: { readonly code: string; readonly mayRetry: boolean }
  readonly refunds: { refundId?: string; refs: readonly string[]; amount: number; state: Outcome['state'] }[]
  readonly disputes: { ref: string; state: 'open' | 'won' | 'lost'; amount: number }[]
  /** Further ids of it. */
  more?: readonly string[]
}

/** The server. */
export type OutsideProvider = {
  readonly port: number
  /** The secrets of the account of the school. */
  readonly secrets: { readonly secret_key: string; readonly webhook_secret: string }
  /** The requests that it has received, by their paths. */
  readonly requests: readonly string[]
  /** Every effect that it has had, by kind and id: the same twice means that somebody paid twice. */
  readonly effects: readonly string[]
  readonly books: Map<string, Booked>
  /** What each payment page was opened with, by the payment. */
  readonly pages: Map<string, Sent>
  /** What is missing in its account, which a check finds. */
  missing: readonly FindingCode[]
  /** The endpoints for notices that were made there. */
  readonly endpoints: ReadonlySet<string>
  /** Whether payments are found by one of its own ids alone, as where a list is slow to have them. */
  findsByRef: boolean
  fail(path: 'pages' | 'charges' | 'refunds' | 'find' | 'end' | 'check' | 'connect', fault: Fault): void
  release(): void
  /** The origin of its payment pages. */
  pageOrigin: string
  /** What the next charges of saved methods become; by default they succeed. */
  charges: Outcome['state']
  /** What refunds become; by default they succeed. */
  refundState: Outcome['state']
  /** Idempotency keys are forgotten, as a provider does after a day. */
  forgetKeys(): void
  /** The body and the headers of an event, signed with the query of its request; one without an id is no event that counts once. */
  event(
    id: string | undefined,
    payment: ProviderEvent['payment'],
    options?: { readonly secret?: string; readonly query?: string; readonly signedAt?: Date },
  ): { readonly body: string; readonly headers: Record<string, string> }
  stop(): Promise<void>
}

/** What requests send: each some of it. */
type Sent = Readonly<
  Record<'paymentId' | 'memberId' | 'refundId' | 'currency' | 'endsAt' | 'ref' | 'webhookUrl', string>
> & {
  readonly amount: number
  readonly buyer: BeginInput['buyer']
  readonly delays: BeginInput['delays']
}

const sign = (secret: string, body: string | Buffer): string => createHmac('sha256', secret).update(body).digest('hex')

/** The second id of a payment, which only answers about it name. */
export const intentRef = (ref: string): string => `${ref}_intent`

const buildFound = ({ state, ref, received: amount, receivedCurrency: currency, failure, ...rest }: Booked) =>
  ({
    state,
    refs: [ref, intentRef(ref), ...(rest.more ?? [])],
    amount,
    currency,
    ...(failure === undefined ? {} : { failure }),
    refunds: rest.refunds.map(one => ({ ...one, currency })),
    disputes: rest.disputes.map(one => ({ ...one, currency })),
  }) satisfies FoundPayment

// While none runs, cards cannot be charged: other test files of this process have a provider that nobody knows.
const running = new Set<number>()

/** Has this process charge by a server that another one has started. */
export const chargeElsewhere = (): void => void running.add(0)

/** Starts the server on a port of the loopback interface. */
export const startOutsideProvider = async (): Promise<OutsideProvider> => {
  const books = new Map<string, Booked>()
  const replies = new Map<string, unknown>()
  const requests: string[] = []
  const effects: string[] = []
  const pages = new Map<string, Sent>()
  const faults = new Map<string, Fault>()
  const endpoints = new Set<string>()
  let made = 0
  let released = Promise.withResolvers<void>()
  const newRef = (): string => `out_${randomBytes(12).toString('hex')}`

  const book = (id: string, amount: number, currency: string, state: Outcome['state']): Booked => {
    const received = state === 'succeeded' ? amount : 0
    const one: Booked = {
      id,
      ref: newRef(),
      amount,
      currency,
      state,
      received,
      receivedCurrency: currency,
      refunds: [],
      disputes: [],
    }
    if (state === 'failed') one.failure = { code: 'card_declined', mayRetry: true }
    books.set(id, one)
    return one
  }

  const effectOf: Record<string, (input: Sent) => unknown> = {
    pages: input => {
      const { paymentId, memberId, amount, currency, endsAt } = input
      pages.set(paymentId, input)
      effects.push(`page ${paymentId}`)
      const { ref } = book(paymentId, amount, currency, 'needs_person')
      return {
        redirect: `${server.pageOrigin}/pay/${ref}`,
        ref,
        expiresAt: endsAt,
        customerRef: `customer_${memberId}`,
      }
    },
    charges: ({ paymentId, amount, currency }) => {
      effects.push(`charge ${paymentId}`)
      return buildFound(book(paymentId, amount, currency, server.charges))
    },
    refunds: ({ refundId, paymentId, amount, currency }) => {
      effects.push(`refund ${refundId}`)
      const one = { refundId, refs: [newRef()], amount, state: server.refundState }
      books.get(paymentId)?.refunds.push(one)
      return { ...one, currency }
    },
  }

  const buildKey = (path: string, input: Sent): string => `${path} ${input.refundId ?? input.paymentId}`

  // A key that is known gets the reply of the first time, and nothing happens again.
  const perform = (path: string, input: Sent): unknown => {
    const key = buildKey(path, input)
    if (!replies.has(key)) replies.set(key, effectOf[path]?.(input))
    return replies.get(key)
  }

  const answerAboutAccount: Record<string, (input: Sent) => unknown> = {
    check: () => ({
      account: { id: `acct_${server.port}`, name: 'Crumb', country: 'PT' },
      findings: server.missing.map(code => finding(code)),
    }),
    connect: () => {
      made++
      const ref = `endpoint_${made}`
      endpoints.add(ref)
      return { ref, events: ['payment.changed'], secrets: { webhook_secret: webhook } }
    },
    disconnect: ({ ref }) => {
      endpoints.delete(ref)
      return null
    },
  }

  const answer = (path: string, input: Sent): unknown => {
    const ask = answerAboutAccount[path]
    if (ask !== undefined) return ask(input)
    if (path === 'find') {
      const found = books.get(input.paymentId)
      const isNamed = found !== undefined && [found.ref, intentRef(found.ref)].includes(input.ref)
      return found === undefined || (server.findsByRef && !isNamed) ? null : buildFound(found)
    }
    if (path !== 'end') return perform(path, input)
    const open = [...books.values()].find(one => one.ref === input.ref && one.state === 'needs_person')
    if (open !== undefined) open.state = 'canceled'
    return null
  }

  const readBody = async (incoming: IncomingMessage): Promise<Sent> => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    return JSON.parse(Buffer.concat(chunks).toString() || '{}')
  }

  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const path = (incoming.url ?? '').slice(1)
    const input = await readBody(incoming)
    requests.push(path)
    const fault = faults.get(path)
    faults.delete(path)
    if (fault === 'swallowed') await released.promise
    if (fault === 'error' || fault === 'swallowed') return void outgoing.writeHead(500).end('{}')
    const value = JSON.stringify(answer(path, input))
    if (fault === 'held') await released.promise
    outgoing.writeHead(fault === 'lost' ? 500 : 200, { 'content-type': 'application/json' }).end(value)
  }

  const listening = createServer((incoming, outgoing) => void handle(incoming, outgoing))
  await new Promise<void>(resolve => listening.listen(0, '127.0.0.1', resolve))
  const { port } = listening.address() as AddressInfo
  running.add(port)
  const webhook = `whsec_outsideProvider${port}`
  const server: OutsideProvider = {
    port,
    secrets: { secret_key: `sk_test_outsideProvider${port}`, webhook_secret: webhook },
    requests,
    effects,
    books,
    pages,
    fail: (path, fault) => void faults.set(path, fault),
    release: () => {
      released.resolve()
      released = Promise.withResolvers<void>()
    },
    pageOrigin: 'https://outside.example',
    missing: [],
    endpoints,
    findsByRef: false,
    charges: 'succeeded',
    refundState: 'succeeded',
    forgetKeys: () => replies.clear(),
    event: (id, payment, { secret = webhook, query = '', signedAt = new Date() } = {}) => {
      const body = JSON.stringify({ id, type: 'payment.changed', ...(payment === undefined ? {} : { payment }) })
      const at = signedAt.toISOString()
      return { body, headers: { 'outside-signature': sign(secret, `${at}?${query}.${body}`), 'outside-signed-at': at } }
    },
    stop: async () => {
      running.delete(port)
      server.release()
      listening.closeAllConnections()
      await new Promise(resolve => listening.close(resolve))
    },
  }
  return server
}

const finding = (code: FindingCode): Finding => ({ code, level: 'missing', text: inEach(() => code), how: null })

const adapter = (port: string, webhookSecret: string | undefined): Provider => {
  const call = async <T>(path: string, input: unknown): Promise<T> => {
    const reply = await fetch(`http://127.0.0.1:${port}/${path}`, {
      method: 'POST',
      body: JSON.stringify(input),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (!reply.ok) throw new Error(`the provider answered with ${reply.status}`)
    return (await reply.json()) as T
  }
  return {
    name: 'outside',
    begin: async input => {
      const page = await call<Omit<BegunPage, 'expiresAt'> & { readonly expiresAt: string }>('pages', input)
      return { ...page, expiresAt: new Date(page.expiresAt) }
    },
    charge: input => call('charges', input),
    refund: input => call('refunds', input),
    find: async input => (await call<FoundPayment | null>('find', input)) ?? undefined,
    end: ref => call('end', { ref }),
    forget: customer => call('forget', { customer }),
    check: async ({ mode }: CheckInput): Promise<Checked> => {
      const { account, findings } = await call<Checked>('check', { mode })
      const isSilent = webhookSecret === undefined
      return { account, findings: isSilent ? [...findings, finding('webhook_missing')] : findings }
    },
    connect: webhookUrl => call<Connected>('connect', { webhookUrl }),
    disconnect: ref => call('disconnect', { ref }),
    read: async ({ bytes, header, query, receivedAt }) => {
      const at = header('outside-signed-at') ?? ''
      const isFresh = Math.abs(receivedAt.getTime() - Date.parse(at)) < FRESH_MS
      const signed = `${at}?${query}.${bytes.toString()}`
      if (webhookSecret === undefined || header('outside-signature') !== sign(webhookSecret, signed) || !isFresh)
        return undefined
      const { id, type, payment } = JSON.parse(bytes.toString())
      return [{ id, type, payment }]
    },
  }
}

// The key of the account says where the server is, so that every process finds it.
const PORT = /^sk_test_outsideProvider(\d+)$/
const KEY = /^sk_(test|live)_[A-Za-z0-9]{16,240}$/

const hooks = [
  implement(paymentProvider, async ({ name, secrets }) => {
    const [, port] = PORT.exec(secrets.secret_key ?? '') ?? []
    return name === 'outside' && port !== undefined ? adapter(port, secrets.webhook_secret) : undefined
  }),
  // In steps of ten for currencies with three decimals, and at least fifty.
  implement(chargeable, async ({ provider, amount, currency, purpose }) => {
    if (provider !== 'outside' || running.size === 0) return undefined
    if (purpose === 'setup') return true
    if (amount < 50) return { nearest: [50] }
    const below = amount - (amount % 10)
    return currency === 'KWD' && amount % 10 !== 0 ? { nearest: [below, below + 10] } : true
  }),
]

/** The area of the provider: nothing else has to know it. */
const outside = area({
  name: 'outside-provider',
  operations: [],
  hooks,
  provider: {
    name: 'outside',
    title: inEach(() => 'Outside payments'),
    payText: {
      name: inEach(() => 'Card and more'),
      about: inEach(() => 'You pay on a page outside and come back here.'),
      button: inEach(() => 'Pay {amount}'),
      setUp: inEach(() => 'Give a card'),
    },
    secrets: [
      {
        name: 'secret_key',
        label: inEach(() => 'Secret key'),
        about: inEach(() => 'In your account outside: sk_test_… or sk_live_…'),
        pattern: KEY,
        required: 'charge',
      },
      {
        name: 'webhook_secret',
        label: inEach(() => 'Webhook secret'),
        about: inEach(() => 'At the endpoint of your account: whsec_…'),
        pattern: /^whsec_[A-Za-z0-9+/=_-]{16,240}$/,
        required: 'notify',
      },
    ],
    modeOf: ({ secret_key: key = '' }) => {
      const [, mode] = KEY.exec(key) ?? []
      return mode === 'test' || mode === 'live' ? mode : undefined
    },
    permissions: [],
    events: ['payment.changed'],
    keysLast: 20 * 3600 * 1000,
    can: { saves: true, payouts: false, connects: true, delays: true },
  },
})
registerHooks(outside.name, hooks)
