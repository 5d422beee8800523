import { randomBytes } from 'node:crypto'
import { implementProvider } from '#src/areas/shop/stripe/implementations.ts'
import { registerHooks } from '#src/contract/hook.ts'
import type { Booked, Books, Controls, Post, RunningProvider } from '../payment-suite/provider.ts'
import { settleFees, settleRefunds } from './bank.ts'
import { createStore, type Store } from './books.ts'
import { act } from './buyer.ts'
import { createEvents, type Events } from './events.ts'
import { createFaults, type Faults, nameCall } from './faults.ts'
import { createKeys } from './keys.ts'
import type { Asked } from './request.ts'
import { type Exchange, listen } from './server.ts'

/** The server that stands for Stripe, with what only its own tests need beside the controls of every provider. */
export type StripeServer = RunningProvider & {
  readonly store: Store
  readonly requests: readonly Asked[]
  /** The requests that were not refused before their call began, with their answers. */
  readonly exchanges: readonly Exchange[]
  readonly events: Events
  readonly faults: Faults
  /** Fees are told with a charge, or later, when this is called with `true` again. */
  setTellsFees(tells: boolean): void
  /** The key may not call these routes any more, as a restricted key without a permission. */
  forbid(routes: readonly string[]): void
}

const states = { open: 'open', complete: 'processing', expired: 'ended' } as const

const readPayment = (store: Store, paymentId: string): Booked => {
  const session = [...store.sessions.values()].find(one => one.metadata.stoa_payment === paymentId)
  const intents = [...store.intents.values()].filter(one => one.metadata.stoa_payment === paymentId)
  const setup = store.setups.get(session?.setup_intent ?? '')
  const [intent] = intents
  const isPaid = setup?.status === 'succeeded' || intent?.status === 'succeeded'
  const isFailed = intent?.status === 'requires_payment_method' && session?.status !== 'open'
  const of = <T extends { readonly payment_intent: string }>(kind: ReadonlyMap<string, T>): T[] =>
    [...kind.values()].filter(one => intents.some(({ id }) => id === one.payment_intent))
  const stateOfPage = states[session?.status ?? 'complete']
  return {
    paymentId,
    refs: [session?.id, setup?.id, ...intents.map(({ id }) => id)].filter(id => id !== undefined),
    state: isPaid ? 'succeeded' : isFailed && stateOfPage !== 'ended' ? 'failed' : stateOfPage,
    received: intents.reduce((sum, one) => sum + one.amount_received, 0),
    currency: (session?.currency ?? intent?.currency ?? '').toUpperCase(),
    refunds: of(store.refunds).map(one => ({
      refundId: one.metadata.stoa_refund,
      amount: one.amount,
      state: one.status === 'pending' ? 'processing' : one.status,
    })),
    disputes: of(store.disputes).map(one => ({
      amount: one.amount,
      state: one.status === 'won' || one.status === 'lost' ? one.status : 'open',
    })),
  }
}

const readBooks = (store: Store): Books => {
  const named = [...store.sessions.values(), ...store.intents.values()].flatMap(one => one.metadata.stoa_payment ?? [])
  return {
    payments: [...new Set(named)].map(id => readPayment(store, id)),
    customers: [...store.customers.keys()],
    effects: [...store.effects],
  }
}

/** Has this process call Stripe at an origin, in place of its own. */
export const callStripeAt = (origin: string): void => registerHooks('stripe', implementProvider(origin))

/** Starts the server, which this process calls from now on; `post` is called for each of its events. */
export const startStripe = async ({ post }: { readonly post: Post }): Promise<StripeServer> => {
  let ahead = 0
  const now = (): number => Math.floor(Date.now() / 1000) + ahead
  const secrets = {
    secret_key: `sk_test_${randomBytes(24).toString('hex')}`,
    webhook_secret: `whsec_${randomBytes(24).toString('hex')}`,
  }
  const store = createStore(now)
  const events = createEvents(secrets.webhook_secret, post)
  const faults = createFaults()
  const keys = createKeys(now)
  const requests: Asked[] = []
  const exchanges: Exchange[] = []
  let forbidden: readonly string[] = []
  const isAllowed = (route: string): boolean => !forbidden.includes(route)
  const place = { store, events }
  const server = await listen({ ...place, keys, faults, secretKey: secrets.secret_key, isAllowed, requests, exchanges })
  callStripeAt(server.origin)
  const controls: Controls = {
    act: async (paymentId, action) => act(place, paymentId, action),
    setRefunds: how => {
      store.refundsEnd = how
    },
    settleRefunds: async () => settleRefunds(place),
    fail: (call, fault) => faults.fail(call, fault),
    release: () => faults.release(),
    forgetKeys: () => keys.forget(),
    moveClock: seconds => {
      ahead += seconds
    },
    readBooks: async () => readBooks(store),
    countRequests: call => requests.filter(({ method, path }) => nameCall(method, path) === call).length,
    notices: events,
  }
  return {
    secrets,
    controls,
    origin: server.origin,
    store,
    requests,
    exchanges,
    events,
    faults,
    setTellsFees: tells => {
      store.tellsFees = tells
      if (tells) settleFees(place)
    },
    forbid: routes => {
      forbidden = routes
    },
    stop: () => server.stop(),
  }
}
