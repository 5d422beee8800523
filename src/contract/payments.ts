import type { Database } from './db.ts'
import { hook } from './hook.ts'

/** How an order is paid: nothing is due, by bank transfer, by test payments, or by Stripe. */
export type PaymentProviderName = 'free' | 'manual' | OnlineProviderName

/** The providers that are called over a network, and that report what happens to the webhook of the school. */
export type OnlineProviderName = 'test' | 'stripe'

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
  /** The id at the provider; of several, such as of a page and of its payment, the first one that is known stays. */
  readonly ref?: string
  readonly failure?: Failure
  readonly method?: MethodShown
  /** What the provider keeps of a payment that succeeded, in minor units of its currency; left out until it says so. */
  readonly fee?: number
  /** The method that was saved with a payment that succeeded, if it was begun to save one. */
  readonly saved?: SavedMethod
}

/** A refund as the provider has it; without `refundId` it was made there and not by us. */
export type FoundRefund = Omit<Outcome, 'method' | 'fee' | 'saved'> & { readonly refundId?: string }

/** A dispute as the provider has it. */
export type FoundDispute = Money & {
  readonly ref: string
  readonly state: 'open' | 'won' | 'lost'
  /** The reason of the buyer's bank, as the provider names it. */
  readonly reason?: string
}

/** All that a provider knows of one payment. */
export type FoundPayment = Outcome & {
  readonly refunds: readonly FoundRefund[]
  readonly disputes: readonly FoundDispute[]
}

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
  /** When the page ends. */
  readonly endsAt: Date
  readonly locale: string
}

/** The payment page that was opened, and the customer at the provider if the buyer is one there. */
export type BegunPage = {
  readonly redirect: string
  readonly ref: string
  readonly expiresAt: Date
  readonly customerRef?: string
}

/** A payment with a saved method, while the buyer is away. `paymentId` is the idempotency key. */
export type ChargeInput = Money &
  SavedMethod & {
    readonly paymentId: string
    readonly description: string
  }

/** A refund of a part or of all of a payment. `refundId` (`rfd_…`) is the idempotency key. */
export type RefundInput = Money & { readonly refundId: string; readonly paymentId: string; readonly paymentRef: string }

/** Which payment to look up: ours, since the instant of its row, with what is known of it at the provider. */
type FindInput = {
  readonly paymentId: string
  /** The buyer, as `mem_…`. */
  readonly memberId: string
  readonly since: Date
  readonly ref?: string
  readonly customerRef?: string
}

/** A request to a webhook, as it was sent. */
export type WebhookBytes = { readonly bytes: Buffer; header(name: string): string | undefined }

/** An event of a provider. It says which payment to look up, and nothing else of it is used. */
export type ProviderEvent = {
  /** Unique at the provider. */
  readonly id: string
  readonly type: string
  /** The payment by our id, or by that of the provider. */
  readonly payment: { readonly id: string } | { readonly ref: string } | undefined
}

/**
 * A provider of payments, for one school. A call that throws may have had its effect: it is repeated with the same key, or
 * looked up with `find`. Calls end by themselves within 20 seconds.
 */
export type Provider = {
  readonly name: OnlineProviderName
  /** Opens a payment page. Called again with one key it returns the same page. */
  begin(input: BeginInput): Promise<BegunPage>
  charge(input: ChargeInput): Promise<Outcome>
  refund(input: RefundInput): Promise<Outcome>
  /** What the provider knows now; undefined: it has never heard of the payment. */
  find(input: FindInput): Promise<FoundPayment | undefined>
  /** Ends an open page; does nothing to one that has ended or was paid. */
  end(ref: string): Promise<void>
  /** Forgets a customer with the saved payment methods. */
  forget(customerRef: string): Promise<void>
  /** The events of a request; undefined when its signature does not cover its bytes. */
  read(request: WebhookBytes): Promise<readonly ProviderEvent[] | undefined>
}

/** What a provider of a school is made from. */
type ProviderRequest = {
  readonly name: OnlineProviderName
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

/** Called for whether a provider can charge an amount, which it knows without being called; its area answers. */
export const chargeable = hook<Money & { readonly provider: OnlineProviderName }, Fit | undefined>('chargeable')
