import { linkButton, mailKinds } from '#src/contract/mail.ts'
import { texts } from '#src/texts/index.ts'

const words = texts.memberships.subscriptionMails.mails
const { buttons } = texts.contract.mail

/** The mails to those who subscribe, about what they pay and what becomes of it. Nobody can turn them off. */
export const memberMails = mailKinds({
  subscription_payment_failed: {
    subject: words.memberMails.subscriptionPaymentFailed.subject,
    paragraphs: [
      words.memberMails.subscriptionPaymentFailed.paragraphs.schoolCouldNotChargeAmount,
      linkButton(buttons.payNow),
    ],
  },
  subscription_payment_failed_finally: {
    subject: words.memberMails.subscriptionPaymentFailedFinally.subject,
    paragraphs: [
      words.memberMails.subscriptionPaymentFailedFinally.paragraphs.schoolCouldNotChargeAmount,
      linkButton(buttons.payNow),
    ],
  },
  subscription_payment_needs_you: {
    subject: words.memberMails.subscriptionPaymentNeedsYou.subject,
    paragraphs: [
      words.memberMails.subscriptionPaymentNeedsYou.paragraphs.yourBankWantsYouTo,
      linkButton(buttons.approve),
    ],
  },
  subscription_needs_method: {
    subject: words.memberMails.subscriptionNeedsMethod.subject,
    paragraphs: [
      words.memberMails.subscriptionNeedsMethod.paragraphs.amountForItemPeriodIs,
      linkButton(buttons.payNow),
    ],
  },
  subscription_choose_method: {
    subject: words.memberMails.subscriptionChooseMethod.subject,
    paragraphs: [
      words.memberMails.subscriptionChooseMethod.paragraphs.schoolNoLongerCharges,
      linkButton(buttons.chooseMethod),
    ],
  },
  subscription_not_paid: {
    subject: words.memberMails.subscriptionNotPaid.subject,
    paragraphs: [
      words.memberMails.subscriptionNotPaid.paragraphs.schoolHasNotReceivedAmount,
      linkButton(buttons.payNow),
    ],
  },
  subscription_trial_ends: {
    subject: words.memberMails.subscriptionTrialEnds.subject,
    paragraphs: [
      words.memberMails.subscriptionTrialEnds.paragraphs.yourFreeTrialOfItem,
      linkButton(buttons.subscription),
    ],
  },
  subscription_cancel_planned: {
    subject: words.memberMails.subscriptionCancelPlanned.subject,
    paragraphs: [
      words.memberMails.subscriptionCancelPlanned.paragraphs.yourSubscriptionToItemAt,
      linkButton(buttons.subscription),
    ],
  },
  subscription_cancel_undone: {
    subject: words.memberMails.subscriptionCancelUndone.subject,
    paragraphs: [
      words.memberMails.subscriptionCancelUndone.paragraphs.yourSubscriptionToItemAt,
      linkButton(buttons.subscription),
    ],
  },
  subscription_ended: {
    subject: words.memberMails.subscriptionEnded.subject,
    paragraphs: [
      words.memberMails.subscriptionEnded.paragraphs.yourSubscriptionToItemAt,
      linkButton(buttons.subscription),
    ],
  },
  subscription_ended_unpaid: {
    subject: words.memberMails.subscriptionEndedUnpaid.subject,
    paragraphs: [
      words.memberMails.subscriptionEndedUnpaid.paragraphs.schoolCouldNotChargeAmount,
      linkButton(buttons.subscription),
    ],
  },
  subscription_completed: {
    subject: words.memberMails.subscriptionCompleted.subject,
    paragraphs: [
      words.memberMails.subscriptionCompleted.paragraphs.youHaveMadeAllPayments,
      linkButton(buttons.subscription),
    ],
  },
  subscription_paused: {
    subject: words.memberMails.subscriptionPaused.subject,
    paragraphs: [
      words.memberMails.subscriptionPaused.paragraphs.yourSubscriptionToItemAt,
      linkButton(buttons.subscription),
    ],
  },
  subscription_paused_until: {
    subject: words.memberMails.subscriptionPausedUntil.subject,
    paragraphs: [
      words.memberMails.subscriptionPausedUntil.paragraphs.yourSubscriptionToItemAt,
      linkButton(buttons.subscription),
    ],
  },
  subscription_resumed: {
    subject: words.memberMails.subscriptionResumed.subject,
    paragraphs: [
      words.memberMails.subscriptionResumed.paragraphs.yourSubscriptionToItemAt,
      linkButton(buttons.subscription),
    ],
  },
  subscription_price_changed: {
    subject: words.memberMails.subscriptionPriceChanged.subject,
    paragraphs: [
      words.memberMails.subscriptionPriceChanged.paragraphs.yourSubscriptionAtSchoolIs,
      linkButton(buttons.subscription),
    ],
  },
  subscription_method_changed: {
    subject: words.memberMails.subscriptionMethodChanged.subject,
    paragraphs: [
      words.memberMails.subscriptionMethodChanged.paragraphs.yourSubscriptionToItemAt,
      linkButton(buttons.subscription),
    ],
  },
})

/** The mail that announces that an account is debited, which banks ask for. Nobody can turn it off. */
export const debitMails = mailKinds({
  debit_announced: {
    subject: words.debitAnnounced.subject,
    paragraphs: [words.debitAnnounced.paragraphs.schoolDebitsAmountFor, linkButton(buttons.subscription)],
  },
})

/** The mails to those whose credit of a subscription goes back or is dropped. Nobody can turn them off. */
export const creditMails = mailKinds({
  credit_paid_back: {
    subject: words.creditMails.creditPaidBack.subject,
    paragraphs: [words.creditMails.creditPaidBack.paragraphs.schoolPaysBackAmountOf, linkButton(buttons.subscription)],
  },
  credit_dropped: {
    subject: words.creditMails.creditDropped.subject,
    paragraphs: [words.creditMails.creditDropped.paragraphs.yourSubscriptionToItemAt, linkButton(buttons.subscription)],
  },
})

/** The mails to owners and admins about subscriptions that need somebody. Nobody can turn them off, since each may cost money. */
export const staffMails = mailKinds({
  subscription_waits: {
    subject: words.staffMails.subscriptionWaits.subject,
    paragraphs: [
      words.staffMails.subscriptionWaits.paragraphs.aMemberWhoSubscribesTo,
      linkButton(buttons.subscription),
    ],
  },
  credit_waits: {
    subject: words.staffMails.creditWaits.subject,
    paragraphs: [words.staffMails.creditWaits.paragraphs.aSubscriptionToItemAt, linkButton(buttons.subscription)],
  },
  subscription_paid_twice: {
    subject: words.staffMails.subscriptionPaidTwice.subject,
    paragraphs: [
      words.staffMails.subscriptionPaidTwice.paragraphs.twoAccountsOfOnePerson,
      linkButton(buttons.subscription),
    ],
  },
})
