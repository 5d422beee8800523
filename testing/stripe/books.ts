import { randomBytes } from 'node:crypto'

/** An object of the API as it is answered, without what nothing of ours reads. References are ids, and expanded when asked. */
export type Entry = { readonly id: string; readonly object: string; created: number; metadata: Metadata }

type Metadata = Readonly<Record<string, string>>

/** Why the last attempt of a payment failed. */
export type PaymentError = {
  readonly type: 'card_error'
  readonly code: string
  readonly decline_code?: string
  readonly message: string
}

export type Session = Entry & {
  readonly mode: 'payment' | 'setup'
  status: 'open' | 'complete' | 'expired'
  payment_status: 'paid' | 'unpaid' | 'no_payment_required'
  readonly amount_total: number | null
  readonly currency: string
  readonly expires_at: number
  readonly success_url: string
  readonly cancel_url: string | null
  customer: string | null
  readonly customer_email: string | null
  readonly excluded_payment_method_types: readonly string[]
  payment_intent: string | null
  setup_intent: string | null
  readonly url: string
  /** What the intent gets at the first attempt; not answered. */
  readonly intent: { readonly metadata: Metadata; readonly description: string | null; readonly saves: boolean }
  readonly createsCustomer: boolean
}

export type Intent = Entry & {
  readonly amount: number
  amount_received: number
  readonly currency: string
  customer: string | null
  readonly description: string | null
  status: 'requires_payment_method' | 'requires_action' | 'processing' | 'succeeded' | 'canceled'
  last_payment_error: PaymentError | null
  latest_charge: string | null
  payment_method: string | null
  readonly setup_future_usage: 'off_session' | null
}

export type Setup = Entry & {
  customer: string | null
  status: 'requires_payment_method' | 'requires_action' | 'succeeded' | 'canceled'
  last_setup_error: PaymentError | null
  payment_method: string | null
}

export type Charge = Entry & {
  amount: number
  readonly currency: string
  amount_refunded: number
  disputed: boolean
  readonly payment_intent: string
  readonly payment_method: string
  readonly payment_method_details: Readonly<Record<string, unknown>>
  balance_transaction: string | null
}

export type Refund = Entry & {
  readonly amount: number
  readonly currency: string
  readonly charge: string
  readonly payment_intent: string
  status: 'pending' | 'succeeded' | 'failed'
  failure_reason?: string
}

export type Dispute = Entry & {
  readonly amount: number
  readonly currency: string
  readonly charge: string
  readonly payment_intent: string
  readonly reason: string
  status: 'needs_response' | 'warning_needs_response' | 'won' | 'lost'
}

/** A method of payment, with what it does when it is charged later. */
export type Method = Entry & {
  readonly type: 'card' | 'sepa_debit'
  readonly card?: object
  readonly sepa_debit?: object
  customer: string | null
  readonly later: string
}

export type Customer = Entry & { readonly email: string | null }

type BalanceTransaction = Entry & { readonly fee: number; readonly amount: number; readonly currency: string }

/** The accounts of Stripe's that are ours, by id, each kind in the order in which it was made. */
export type Store = {
  readonly sessions: Map<string, Session>
  readonly intents: Map<string, Intent>
  readonly setups: Map<string, Setup>
  readonly charges: Map<string, Charge>
  readonly refunds: Map<string, Refund>
  readonly disputes: Map<string, Dispute>
  readonly methods: Map<string, Method>
  readonly customers: Map<string, Customer>
  readonly transactions: Map<string, BalanceTransaction>
  readonly endpoints: Map<string, Entry & Readonly<Record<string, unknown>>>
  /** Every effect of a request of ours: the same twice is a key that had an effect twice. */
  readonly effects: string[]
  /** The server's own clock, in seconds. */
  now(): number
  /** Whether the account may receive payments. */
  isReady: boolean
  /** The methods that the account may be paid with, as its capabilities are named. */
  capabilities: Readonly<Record<string, 'active' | 'inactive' | 'pending'>>
  /** When payouts are made: every day, or when the owner asks for one. */
  payouts: 'daily' | 'manual'
  /** Whether fees are known at once; otherwise when `true` is set again. */
  tellsFees: boolean
  /** How refunds end that are made from now on. */
  refundsEnd: 'succeed' | 'take_long' | 'fail'
}

/** Books without anything in them, on a clock in seconds. */
export const createStore = (now: () => number): Store => ({
  sessions: new Map(),
  intents: new Map(),
  setups: new Map(),
  charges: new Map(),
  refunds: new Map(),
  disputes: new Map(),
  methods: new Map(),
  customers: new Map(),
  transactions: new Map(),
  endpoints: new Map(),
  effects: [],
  now,
  isReady: true,
  capabilities: { card_payments: 'active', ideal_payments: 'active', transfers: 'active' },
  payouts: 'daily',
  tellsFees: true,
  refundsEnd: 'succeed',
})

/** A new id, such as `pi_3f…`. */
export const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`

/** The first fields of a new object. */
export const startEntry = (
  store: Store,
  prefix: string,
  object: string,
  metadata: Metadata = {},
): Entry & { readonly livemode: false } => ({
  id: newId(prefix),
  object,
  created: store.now(),
  livemode: false,
  metadata,
})

/** Adds an object to its kind, and returns it. */
export const put = <T extends Entry>(kind: Map<string, T>, entry: T): T => {
  kind.set(entry.id, entry)
  return entry
}

/** An object of any kind by its id. */
export const findEntry = (store: Store, id: string): Entry | undefined => {
  const { sessions, intents, setups, charges, refunds, disputes, methods, customers, transactions } = store
  const kinds: readonly ReadonlyMap<string, Entry>[] = [
    ...[sessions, intents, setups, charges, refunds],
    ...[disputes, methods, customers, transactions],
  ]
  return kinds.map(kind => kind.get(id)).find(entry => entry !== undefined)
}

const hidden = ['intent', 'createsCustomer', 'later']
// What all other kinds of objects have.
const lacking: Readonly<Record<string, readonly string[]>> = {
  balance_transaction: ['livemode', 'metadata'],
  refund: ['livemode'],
}

// Replaces the id at a path such as `payment_intent.latest_charge` by its object, which is expanded on.
const expandOne = (store: Store, shown: Record<string, unknown>, path: readonly string[]): void => {
  const [name, ...rest] = path
  if (name === undefined) return
  const value = shown[name]
  if (typeof value === 'string') {
    const found = findEntry(store, value)
    if (found !== undefined) shown[name] = render(store, found, [])
  }
  const inner = shown[name]
  if (typeof inner === 'object' && inner !== null) expandOne(store, inner as Record<string, unknown>, rest)
}

/** An object as it is answered, with the paths of `expand`. */
export const render = (store: Store, entry: Entry, expand: readonly string[]): Record<string, unknown> => {
  const left = [...hidden, ...(lacking[entry.object] ?? [])]
  const shown = Object.fromEntries(Object.entries(structuredClone(entry)).filter(([name]) => !left.includes(name)))
  for (const path of expand) expandOne(store, shown, path.split('.'))
  return shown
}
