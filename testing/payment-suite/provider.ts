// One thing: what a provider has to offer so that the suite of payments can run over it.

import type { TestApp } from '../app.ts'

/** The secrets of an account, as the owner of the school types them, by their names. */
export type Secrets = Readonly<Record<string, string>>

/**
 * A notice as a provider posts it: what comes after `?` in the address of the webhook, the headers and the body. `webhookUrl` is the
 * address that the payment was begun with, for providers that are told one with each payment.
 */
export type Notice = {
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly webhookUrl?: string
}

/** Posts a notice to the webhook of the school under test over HTTP; returns the status of the answer. */
export type Post = (notice: Notice) => Promise<number>

/** The calls of the port that reach the provider. */
export type Call = 'begin' | 'charge' | 'refund' | 'find' | 'end' | 'forget'

/** What happens to the next request of a call; all later ones are answered as usual. */
export type Fault =
  /** It has its effect, and the connection ends without an answer. */
  | 'lost'
  /** It has no effect, and is answered with 500. */
  | 'error'
  /** It has no effect, and is answered with 429 and a `Retry-After` of one second. */
  | 'busy'
  /** It has its effect, and is answered when `release` is called. */
  | 'held'
  /** It has no effect, and is answered with 500 when `release` is called. */
  | 'hanging'

/** How a method that a buyer saves behaves when it is charged later, with the buyer away. */
export type SavedBehaviour =
  /** Every charge succeeds. */
  | 'works'
  /** Every charge is declined, and may be tried again. */
  | 'declines'
  /** Every charge is declined, and may not be tried again, as with a card that is reported as lost. */
  | 'declines_finally'
  /** Every charge asks for the buyer, as banks do for authentication. */
  | 'asks_person'
  /** Every charge is on its way for days, until `settle` or `bounce`. */
  | 'takes_long'

/** What a buyer does on the page of a payment, and what the bank of the buyer does afterwards. Rejects what is impossible then. */
export type Action =
  /** Pays all of it, by a method that answers at once. */
  | { readonly does: 'pay'; readonly saves?: SavedBehaviour }
  /** The bank declines, and the buyer may try again: on the page, or where the provider ends it, with a new payment. */
  | { readonly does: 'decline' }
  /** The bank declines for good, such as a lost card; whether the page stays open is up to the provider. */
  | { readonly does: 'decline_finally' }
  /** The bank asks the buyer to authenticate; nothing is paid until `authenticate`. */
  | { readonly does: 'ask_person' }
  /** The buyer authenticates after `ask_person`, which pays. */
  | { readonly does: 'authenticate' }
  /** The buyer leaves the page without paying, by its own link back. */
  | { readonly does: 'leave' }
  /** Pays by a method that takes days (needs `can.delays`): on its way until `settle` or `bounce`. */
  | { readonly does: 'take_long'; readonly saves?: SavedBehaviour }
  /** What is on its way arrives. Also of a charge of a saved method. */
  | { readonly does: 'settle' }
  /** What is on its way fails. Also of a charge of a saved method. */
  | { readonly does: 'bounce' }
  /** The buyer started in time; the money arrives after the page has ended, also by `end`. Also of a page that has ended. */
  | { readonly does: 'pay_late' }
  /** The page ends by the clock of the provider. */
  | { readonly does: 'expire' }
  /** The payment is charged once more by a mistake of the provider, so twice as much is received. */
  | { readonly does: 'pay_twice' }
  /** The buyer's bank takes the payment back; `amount` in minor units, all of it when it is left out. */
  | { readonly does: 'charge_back'; readonly amount?: number }
  /** The dispute is decided for the school. */
  | { readonly does: 'win' }
  /** The dispute is decided against the school. */
  | { readonly does: 'lose' }
  /** The owner refunds in the dashboard of the provider, and not through us; `amount` in minor units. */
  | { readonly does: 'refund'; readonly amount: number }
  /** A refund that succeeded fails at the bank of the buyer after all: all of them of this payment. */
  | { readonly does: 'fail_refunds' }

/** A payment in the books of the provider, in minor units of `currency`. */
export type Booked = {
  /** Our id, `pay_…`. */
  readonly paymentId: string
  /** Every id that the provider has given the payment: of its page, its charge, and so on. */
  readonly refs: readonly string[]
  readonly state: 'open' | 'processing' | 'succeeded' | 'failed' | 'ended'
  readonly received: number
  readonly currency: string
  /** `refundId` is ours, `rfd_…`; undefined for one that was made at the provider. */
  readonly refunds: readonly {
    readonly refundId: string | undefined
    readonly amount: number
    readonly state: 'processing' | 'succeeded' | 'failed'
  }[]
  readonly disputes: readonly { readonly amount: number; readonly state: 'open' | 'won' | 'lost' }[]
}

/** All books of the provider. */
export type Books = {
  readonly payments: readonly Booked[]
  /** Customers that have not been forgotten, by their ids at the provider. */
  readonly customers: readonly string[]
  /**
   * Every effect that a request of ours has had, as `page pay_…`, `charge pay_…` and `refund rfd_…`: the same twice means that a key
   * had an effect twice.
   */
  readonly effects: readonly string[]
}

/** When the provider sends the notices of what happens there. */
export type Sending =
  /** Each at once; the first way. */
  | 'now'
  /** They are kept, until `deliver`. */
  | 'held'
  /** They are thrown away. */
  | 'never'

/** The notices of a provider. */
export type Notices = {
  /** From now on they are sent in this way; what is kept stays. */
  setSending(sending: Sending): void
  /** How many are kept, in the order in which they arose. */
  countHeld(): number
  /**
   * Sends kept notices one after another, by their positions from 0; a position may come twice, in any order. They stay kept, so the
   * same can be sent again later. Returns the statuses of the answers. The signatures are made now, as providers do for each attempt.
   */
  deliver(positions: readonly number[]): Promise<readonly number[]>
  /** Throws away what is kept. */
  drop(): void
  /** Sends a genuine notice of a payment that the school has never heard of; returns the status. */
  deliverUnknown(): Promise<number>
  /** Sends a notice of a payment with an invalid signature, or by an address that the school has not made; returns the status. */
  deliverForged(paymentId: string): Promise<number>
}

/** What can be done to the provider while the suite runs. A payment is named by our id, `pay_…`, a refund by `rfd_…`. */
export type Controls = {
  act(paymentId: string, action: Action): Promise<void>
  /** How refunds that are requested from now on end: at once, after days (until `settleRefunds`), or not at all. */
  setRefunds(how: 'succeed' | 'take_long' | 'fail'): void
  /** Refunds that are on their way succeed. */
  settleRefunds(): Promise<void>
  /** The next request of a call meets a fault. */
  fail(call: Call, fault: Fault): void
  /** Answers every request that is held or hangs. */
  release(): void
  /** Forgets every idempotency key, as the provider does after the time that it documents. */
  forgetKeys(): void
  /** Moves the provider's own clock forward, by which pages end and keys are forgotten. */
  moveClock(seconds: number): void
  readBooks(): Promise<Books>
  /** How many requests of a call have arrived. */
  countRequests(call: Call): number
  readonly notices: Notices
}

/**
 * A provider that runs: the suite sets its secrets in a school, and does to it what `controls` offer. It is stopped once.
 */
export type RunningProvider = {
  /** Where it is called; empty for one that is not called over a network. */
  readonly origin: string
  readonly secrets: Secrets
  readonly controls: Controls
  /** Stops it, and answers whatever is held. */
  stop(): Promise<void>
}

/** What a provider can do, by which alone a case is skipped. */
export type Can = {
  /** Methods can be saved, and charged while the buyer is away. */
  readonly saves: boolean
  /** It has methods that take days. */
  readonly delays: boolean
  /** A saved method may take days when it is charged. */
  readonly debits: boolean
  /** A refund may take days, or fail after it succeeded. */
  readonly slowRefunds: boolean
  /** It is called over a network, where answers get lost; the provider of test payments is not. */
  readonly faults: boolean
  /** Its notices can be held; the provider of test payments delivers them by jobs of its own. */
  readonly notices: boolean
}

/**
 * A provider over which the suite runs: what it declares, and how it is started. `isReal`: its adapter is one that schools use for
 * money, so that a case that none of them runs fails the suite.
 */
export type ProviderUnderTest = {
  readonly name: string
  readonly isReal: boolean
  /** For how many seconds a call that is repeated with its key has one effect. */
  readonly keysLast: number
  readonly can: Can
  /** Starts it for an application; `post` is called for each of its notices. */
  start(place: { readonly app: TestApp; readonly post: Post }): Promise<RunningProvider>
  /** Has this process call it at an origin, where another process has started it. */
  callAt(origin: string): void
}
