import { findOrder } from '#src/areas/shop/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { FactContext, FactHandler } from '#src/contract/fact.ts'
import type { MailKind } from '#src/contract/mail.ts'
import { findOpenPeriod, type PeriodRow } from '../periods/queries.ts'
import type { SubscriptionRow } from '../subscription/conditions.ts'
import { findSubscription, listChargedThrough } from '../subscription/queries.ts'
import { creditMails, memberMails as kinds, staffMails } from './mails.ts'
import {
  type AboutSubscription,
  type Content,
  findFactSubscription,
  mailMember,
  mailStaff,
  type Words,
} from './writes.ts'

const buildDue = ({ amount, currency, period_from: from, period_until: until }: PeriodRow, words: Words) => ({
  amount: words.money(amount, currency),
  period: words.period(from, until),
})

// Which mail says why a period is not paid; all others are about a card that was declined.
const kindsByReason: Readonly<Record<string, MailKind>> = {
  needs_person: kinds.subscription_payment_needs_you,
  no_method: kinds.subscription_needs_method,
  not_paid: kinds.subscription_not_paid,
}

const declined = (due: PeriodRow, retryAt: Date | null, words: Words): Content => {
  const values = buildDue(due, words)
  return retryAt === null
    ? { kind: kinds.subscription_payment_failed_finally, values }
    : { kind: kinds.subscription_payment_failed, values: { ...values, retry: words.day(retryAt) } }
}

// Where a person pays a period: on the page of its order.
const payLink = async ({ db, school }: TransactionContext, { order_id: id }: PeriodRow): Promise<{ link?: string }> => {
  const order = id === null ? undefined : await findOrder(db, school.id, { ref: id })
  return order === undefined ? {} : { link: `/account/orders/${order.number}/pay` }
}

// Mails that a payment failed, with when it is tried again; what was paid meanwhile needs no mail, and what ended has another.
const onPeriodFailed: FactHandler<'period.failed'> = async (fact, where) => {
  const subscription = await findFactSubscription(fact, where)
  const due = subscription && (await findOpenPeriod(where.db, where.school.id, subscription.id))
  if (subscription === undefined || due === undefined || subscription.status !== 'past_due') return
  const { reason } = fact.payload
  const kind = kindsByReason[String(reason)]
  const link = reason === 'needs_person' || reason === 'not_paid' ? await payLink(where, due) : {}
  await mailMember(where, subscription, words =>
    kind === undefined ? declined(due, subscription.retry_at, words) : { kind, values: buildDue(due, words), ...link },
  )
}

/** What a mail says of a subscription; undefined where the fact no longer holds. */
type Compose = (subscription: SubscriptionRow, words: Words) => Content | undefined

const mailing =
  (compose: Compose) =>
  async (fact: AboutSubscription, where: FactContext): Promise<void> => {
    const subscription = await findFactSubscription(fact, where)
    if (subscription !== undefined) await mailMember(where, subscription, words => compose(subscription, words))
  }

const formatAmount = ({ price }: SubscriptionRow, { money }: Words): string | undefined =>
  price === null ? undefined : money(price.amount, price.currency)

// Mails three days before the first charge of a trial.
const onTrialEnding = mailing((subscription, words) => {
  const { trial_end: end, status, cancel_at: cancelAt } = subscription
  const amount = formatAmount(subscription, words)
  if (end === null || amount === undefined || status !== 'trialing' || cancelAt !== null) return undefined
  return { kind: kinds.subscription_trial_ends, values: { day: words.day(end), amount } }
})

// Mails until when a subscription goes on that will be canceled.
const onCancelPlanned = mailing(({ cancel_at: at }, { day }) =>
  at === null ? undefined : { kind: kinds.subscription_cancel_planned, values: { day: day(at) } },
)

// Mails that a subscription will not be canceled.
const onCancelUndone = mailing(({ cancel_at: at }) =>
  at === null ? { kind: kinds.subscription_cancel_undone } : undefined,
)

// Mails that a subscription has ended, and whether it was not paid; one that never began has no mail.
const onCanceled: FactHandler<'subscription.canceled'> = async (fact, where) => {
  const subscription = await findFactSubscription(fact, where)
  if (subscription === undefined || subscription.started_at === null) return
  await mailMember(where, subscription, words => {
    const amount = formatAmount(subscription, words)
    return fact.payload.is_unpaid && amount !== undefined
      ? { kind: kinds.subscription_ended_unpaid, values: { amount } }
      : { kind: kinds.subscription_ended }
  })
}

// Mails that a fixed term is over; an order that was never paid began nothing.
const onExpired = mailing(({ started_at: startedAt }) =>
  startedAt === null ? undefined : { kind: kinds.subscription_ended },
)

// Mails that everything is paid.
const onCompleted = mailing(({ price }) => {
  const payments = price?.number_of_payments ?? null
  return payments === null ? undefined : { kind: kinds.subscription_completed, values: { payments: String(payments) } }
})

// Mails that a subscription is paused, and until when.
const onPaused = mailing(({ status, resumes_at: at }, { day }) => {
  if (status !== 'paused') return undefined
  return at === null
    ? { kind: kinds.subscription_paused }
    : { kind: kinds.subscription_paused_until, values: { day: day(at) } }
})

// Mails that a subscription is no longer paused.
const onResumed = mailing(({ next_charge_at: at }, { day }) =>
  at === null ? undefined : { kind: kinds.subscription_resumed, values: { day: day(at) } },
)

// Mails what a subscription costs now.
const onPriceChanged = mailing((subscription, words) => {
  const amount = formatAmount(subscription, words)
  const { next_charge_at: at } = subscription
  if (amount === undefined || at === null) return undefined
  return { kind: kinds.subscription_price_changed, values: { amount, day: words.day(at) } }
})

// Mails that another card is charged from now on.
const onMethodChanged = mailing(() => ({ kind: kinds.subscription_method_changed }))

type CreditFact = AboutSubscription & { readonly payload: { readonly amount: number } }

// The amount that a fact about a credit is over.
const amountIn = ({ payload }: CreditFact, { price }: SubscriptionRow, { money }: Words): string =>
  money(payload.amount, price?.currency ?? 'EUR')

const mailingCredit =
  (kind: MailKind) =>
  async (fact: CreditFact, where: FactContext): Promise<void> => {
    const subscription = await findFactSubscription(fact, where)
    if (subscription === undefined) return
    await mailMember(where, subscription, words => ({ kind, values: { amount: amountIn(fact, subscription, words) } }))
  }

// Mails what of a credit goes back.
const onCreditPaidBack = mailingCredit(creditMails.credit_paid_back)

// Mails that a credit was dropped.
const onCreditDropped = mailingCredit(creditMails.credit_dropped)

// Mails the staff that a credit waits for their decision.
const onCreditWaiting: FactHandler<'subscription.credit_waits'> = async (fact, where) => {
  const subscription = await findFactSubscription(fact, where)
  if (subscription === undefined || subscription.credit === 0) return
  await mailStaff(where, subscription, staffMails.credit_waits, words => ({
    amount: amountIn(fact, subscription, words),
  }))
}

const mailingStaff =
  (kind: MailKind) =>
  async (fact: AboutSubscription, where: FactContext): Promise<void> => {
    const subscription = await findFactSubscription(fact, where)
    if (subscription !== undefined) await mailStaff(where, subscription, kind)
  }

// Mails the staff that a charge waits for a member who is suspended.
const onRenewalWaiting = mailingStaff(staffMails.subscription_waits)

// Mails the staff that a member who was merged has two subscriptions of one item.
const onPaidTwice = mailingStaff(staffMails.subscription_paid_twice)

// Mails those who pay a subscription through a provider that is used for nothing from now on.
const onUseChanged: FactHandler<'payment_provider.use_changed'> = async ({ payload }, where) => {
  if (payload.use !== 'nothing') return
  for (const { id } of await listChargedThrough(where.db, where.school.id, payload.provider)) {
    const subscription = await findSubscription(where.db, where.school.id, { id })
    if (subscription !== undefined)
      await mailMember(where, subscription, () => ({ kind: kinds.subscription_choose_method }))
  }
}

/** What mails react to. */
export const mailSubscribers = {
  'payment_provider.use_changed': onUseChanged,
  'period.failed': onPeriodFailed,
  'subscription.trial_ends': onTrialEnding,
  'subscription.cancel_planned': onCancelPlanned,
  'subscription.cancel_undone': onCancelUndone,
  'subscription.canceled': onCanceled,
  'subscription.completed': onCompleted,
  'subscription.expired': onExpired,
  'subscription.credit_paid_back': onCreditPaidBack,
  'subscription.credit_dropped': onCreditDropped,
  'subscription.credit_waits': onCreditWaiting,
  'subscription.paused': onPaused,
  'subscription.resumed': onResumed,
  'subscription.price_changed': onPriceChanged,
  'subscription.method_changed': onMethodChanged,
  'subscription.renewal_waits': onRenewalWaiting,
  'subscription.paid_twice': onPaidTwice,
}
