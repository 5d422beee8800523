// One thing: the port of payment providers, with all that a provider is asked and answers.
import type { Database } from './db.ts'
import { hook } from './hook.ts'
import type { Phrase } from './language.ts'

/** Whether the keys of a provider move money. */
export type KeyMode = 'test' | 'live'

/** A secret of the account of a school at a provider. */
export type SecretDeclaration = {
  /** `^[a-z][a-z0-9_]{1,39}$`, unique in the provider. */
  readonly name: string
  readonly label: Phrase
  /** Where the owner finds it, and how it begins. */
  readonly about: Phrase
  /** The whole secret, of 8 to 300 characters; it is checked again whatever a form said. */
  readonly pattern: RegExp
  /**
   * `charge`: without it the provider is not offered. `notify`: without it its notices cannot be read, which the operator is
   * warned of. `no`: it is for something more.
   */
  readonly required: 'charge' | 'notify' | 'no'
}

/**
 * A provider of payments, which the area declares that implements `paymentProvider` and `chargeable` for it. Nothing else knows
 * its name. An adapter that calls a server gets the origin of it from `implementProvider(origin)` in `implementations.ts` of its
 * area, which `index.ts` calls with a literal `https:` origin and only `testing/` with another one.
 */
export type ProviderDeclaration = {
  /** `^[a-z][a-z0-9-]{1,30}$`, unique; `free` and `manual` are taken. */
  readonly name: string
  /** In lists. */
  readonly title: Phrase
  /** Beside the button of a buyer. `{amount}` of `button` is what is paid; `setUp` is its text where a method is only saved. */
  readonly payText: {
    readonly name: Phrase
    readonly about: Phrase
    readonly button: Phrase
    readonly setUp: Phrase
  }
  readonly secrets: readonly SecretDeclaration[]
  /** The mode of secrets that fit their patterns, some of which may be left out; undefined where they do not say it. */
  modeOf(secrets: Readonly<Record<string, string>>): KeyMode | undefined
  /** What the key must be allowed, in the words of the provider, and what for. */
  readonly permissions: readonly { readonly name: string; readonly about: Phrase }[]
  /** The events that an endpoint which somebody makes by hand has to send; none where no endpoint is made. */
  readonly events: readonly string[]
  /** For how many milliseconds a call that is repeated with its key has one effect, with a margin. */
  readonly keysLast: number
  readonly can: {
    /** Methods can be saved, to be charged later. */
    readonly saves: boolean
    readonly payouts: boolean
    /** It makes the endpoint for our webhook by itself: `connect` and `disconnect` are there. */
    readonly connects: boolean
    /** It has methods that take days to succeed. */
    readonly delays: boolean
  }
}

/** An amount in minor units of a currency of ISO 4217. */
export type Money = { readonly amount: number; readonly currency: string }

/** Why a payment failed: the code of the provider, and whether the same payment method may be tried again. */
type Failure = { readonly code: string; readonly mayRetry: boolean }

/** The payment method as the buyer may see it: never a number or a token. */
export type MethodShown = { readonly brand: string; readonly last4: string; readonly expires: string | null }

/** A saved payment method, as the provider names the customer and the method. */
export type SavedMethod = { readonly customerRef: string; readonly methodRef: string }

/**
 * What became of a payment or a refund at the provider. `needs_person`: the buyer has to do something, on the page or by
 * authenticating. `canceled`: the page ended unpaid. `unknown`: the provider cannot tell yet. The amount is what was received
 * or paid back so far, which is not always what was requested.
 */
export type Outcome = Money & {
  readonly state: 'succeeded' | 'processing' | 'failed' | 'needs_person' | 'canceled' | 'unknown'
  /**
   * All ids at the provider that are known, such as of a page and of its payment: each of them leads notices to the payment. The
   * first one that is ever known is shown, and is what `refund` and `end` get; a page comes before what was paid on it.
   */
  readonly refs: readonly string[]
  readonly failure?: Failure
  readonly method?: MethodShown
  /** How it was paid in the words of the provider, such as `card` or `sepa_debit`. */
  readonly methodType?: string
  /** The country of the card or the account, of ISO 3166-1. */
  readonly country?: string
  /** What the provider keeps of a payment that succeeded, in minor units of its currency; left out until it says so. */
  readonly fee?: number
  /** The method that was saved with a payment that succeeded, if it was begun to save one. */
  readonly saved?: SavedMethod
}

/** A refund as the provider has it; without `refundId` it was made there and not by us. */
export type FoundRefund = Omit<Outcome, 'method' | 'methodType' | 'country' | 'fee' | 'saved'> & {
  readonly refundId?: string
}

/** A dispute as the provider has it. */
export type FoundDispute = Money & {
  readonly ref: string
  readonly state: 'open' | 'won' | 'lost'
  /** The reason of the buyer's bank, as the provider names it. */
  readonly reason?: string
  /** Until when the school may answer. */
  readonly due?: Date
}

/** All that a provider knows of one payment. */
export type FoundPayment = Outcome & {
  readonly refunds: readonly FoundRefund[]
  readonly disputes: readonly FoundDispute[]
}

/** Who pays, as the provider may be told; what is not known is null. */
type Buyer = { readonly email: string; readonly name: string; readonly country: string | null }

/**
 * What a payment page needs. `paymentId` (`pay_…`) is the idempotency key, so equal calls have equal values. An amount of 0 is
 * only used with `saves`: the page saves a payment method, and nothing is paid.
 */
export type BeginInput = Money & {
  readonly paymentId: string
  /** Whether the payment method is saved, to be charged later while the buyer is away. */
  readonly saves: boolean
  /** The customer that the buyer is at the provider, if that is known. */
  readonly customerRef?: string
  /** The buyer, as `mem_…`. */
  readonly memberId: string
  /** The number of the order, as the buyer sees it. */
  readonly reference: string
  readonly description: string
  /** Where the buyer goes after paying and after leaving the page; absolute addresses of the school. */
  readonly returnUrl: string
  readonly cancelUrl: string
  /** Where the provider reports what happens. */
  readonly webhookUrl: string
  /** When the page was first begun, which stays the same in later calls with the key. */
  readonly begunAt: Date
  /** When the page ends. */
  readonly endsAt: Date
  readonly locale: string
  readonly buyer: Buyer
  /** Whether methods that take days are offered: not for what begins within a week. */
  readonly delays: 'allowed' | 'refused'
}

/** What a payment page is told of who pays and of what is bought. */
export type Payer = Pick<BeginInput, 'buyer' | 'delays'>

/** The payment page that was opened, and the customer at the provider if the buyer is one there. */
export type BegunPage = {
  readonly redirect: string
  readonly ref: string
  readonly expiresAt: Date
  readonly customerRef?: string
}

/**
 * A payment with a saved method, without a page. `paymentId` is the idempotency key. `isPresent`: the buyer chose the method for it
 * and waits for the answer; otherwise they are away.
 */
export type ChargeInput = Money &
  SavedMethod & {
    readonly paymentId: string
    readonly isPresent: boolean
    readonly description: string
  }

/** A refund of a part or of all of a payment. `refundId` (`rfd_…`) is the idempotency key. */
export type RefundInput = Money & { readonly refundId: string; readonly paymentId: string; readonly paymentRef: string }

/** Which payment to look up: ours, since it was first called for, with what is known of it at the provider. */
export type FindInput = {
  readonly paymentId: string
  /** The buyer, as `mem_…`. */
  readonly memberId: string
  readonly since: Date
  readonly ref?: string
  readonly customerRef?: string
}

/** A request to a webhook, as it was sent. */
export type WebhookBytes = {
  readonly bytes: Buffer
  header(name: string): string | undefined
  /** The raw query without its question mark. */
  readonly query: string
  /** On the clock of this process: the instant in a signature is real, and tests move the clock of the database. */
  readonly receivedAt: Date
}

/**
 * A payment by our id (`pay_…`), by an id of the provider, or by both. With both, the id of the provider is given to `find` where none
 * is known, and is kept if the answer has it.
 */
export type NotifiedPayment =
  | { readonly id: string; readonly ref?: string }
  | { readonly id?: undefined; readonly ref: string }

/** An event of a provider. It says which payment to look up, and nothing else of it is used. */
export type ProviderEvent = {
  /**
   * Unique at the provider, and counted once. Without it the payment is looked up each time, at most once in five seconds, unless
   * the event names an id that is not one of a payment whose ids are known.
   */
  readonly id?: string
  readonly type: string
  readonly payment: NotifiedPayment | undefined
}

/** What a check found out about an account. */
export type FindingCode =
  | 'key_invalid'
  | 'key_mode'
  | 'permission_missing'
  | 'permission_unknown'
  | 'account_not_ready'
  | 'webhook_missing'
  | 'webhook_events_missing'
  | 'webhook_disabled'
  | 'webhook_other_mode'
  | 'never_heard'
  | 'no_methods'
  | 'no_method_saves'
  | 'payouts_manual'
  | 'payouts_not_known'
  | 'currency_not_supported'
  | 'clock_differs'

/** Something that a check found, and what an owner does about it. */
export type Finding = {
  readonly code: FindingCode
  readonly level: 'missing' | 'warning' | 'good'
  readonly text: Phrase
  readonly how: Phrase | null
}

/** What a check is told of a school. */
export type CheckInput = { readonly webhookUrl: string; readonly currency: string; readonly mode: KeyMode }

/** What a check found, with the account that the keys belong to where the provider says so. */
export type Checked = {
  readonly account: { readonly id: string; readonly name: string | null; readonly country: string | null } | null
  readonly findings: readonly Finding[]
}

/** An endpoint that the provider made for our webhook: its id, its events, and the secrets that it answered, by their names. */
export type Connected = {
  readonly ref: string
  readonly events: readonly string[]
  readonly secrets: Readonly<Record<string, string>>
}

/**
 * A provider of payments, for one school. A call that throws may have had its effect: it is repeated with the same key, or
 * looked up with `find`. Calls end by themselves within 20 seconds.
 */
export type Provider = {
  readonly name: string
  /** Opens a payment page. Called again with one key it returns the same page. */
  begin(input: BeginInput): Promise<BegunPage>
  charge(input: ChargeInput): Promise<Outcome>
  refund(input: RefundInput): Promise<Outcome>
  /**
   * What the provider knows now; undefined: it has never heard of the payment. A `ref` may be of another payment, since it may come
   * from a notice: what it leads to is the answer only if it is of this payment there, and the payment is looked for without it
   * otherwise.
   */
  find(input: FindInput): Promise<FoundPayment | undefined>
  /** Ends an open page; does nothing to one that has ended or was paid. */
  end(ref: string): Promise<void>
  /** Forgets a customer with the saved payment methods. */
  forget(customerRef: string): Promise<void>
  /** The events of a request; undefined when its signature does not cover its bytes. */
  read(request: WebhookBytes): Promise<readonly ProviderEvent[] | undefined>
  /** Checks the account and the keys. It changes nothing there. */
  check(input: CheckInput): Promise<Checked>
  /** Makes an endpoint for our webhook, where the declaration says that it can. */
  connect?(webhookUrl: string): Promise<Connected>
  /** Deletes an endpoint that `connect` made; does nothing when it is gone. */
  disconnect?(ref: string): Promise<void>
}

/** What a provider of a school is made from. */
type ProviderRequest = {
  readonly name: string
  readonly database: Database
  /** The secrets that the owner set, by their names. */
  readonly secrets: Readonly<Record<string, string>>
  /** A key for one purpose, derived from the installation's secret. */
  keyFor(purpose: string): Buffer
}

/** Called for a provider by its name; the area of the provider answers. */
export const paymentProvider = hook<ProviderRequest, Provider | undefined>('paymentProvider')

/** Whether a provider can charge an amount; otherwise the nearest amounts that it can, in ascending order. */
type Fit = true | { readonly nearest: readonly number[] }

/**
 * What an amount is charged for: once, first with the method saved for later, later with the saved method, or not at all (0) with
 * the method saved.
 */
export type ChargePurpose = 'once' | 'first' | 'charge' | 'setup'

/** Called for whether a provider can charge an amount, which it knows without being called; its area answers. */
export const chargeable = hook<Money & { readonly provider: string; readonly purpose: ChargePurpose }, Fit | undefined>(
  'chargeable',
)
