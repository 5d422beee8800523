import { area } from '#src/contract/area.ts'
import { memberMails, staffMails } from './mails.ts'
import {
  onCanceled,
  onCancelPlanned,
  onCancelUndone,
  onCompleted,
  onExpired,
  onMethodChanged,
  onPaidTwice,
  onPaused,
  onPeriodFailed,
  onPriceChanged,
  onRenewalWaiting,
  onResumed,
  onTrialEnding,
} from './subscribers.ts'

/** What members and staff learn of subscriptions by mail; receipts are the mails of the orders that pay them. */
export const subscriptionMails = area({
  name: 'subscription-mails',
  operations: [],
  subscribers: {
    'period.failed': onPeriodFailed,
    'subscription.trial_ends': onTrialEnding,
    'subscription.cancel_planned': onCancelPlanned,
    'subscription.cancel_undone': onCancelUndone,
    'subscription.canceled': onCanceled,
    'subscription.completed': onCompleted,
    'subscription.expired': onExpired,
    'subscription.paused': onPaused,
    'subscription.resumed': onResumed,
    'subscription.price_changed': onPriceChanged,
    'subscription.method_changed': onMethodChanged,
    'subscription.renewal_waits': onRenewalWaiting,
    'subscription.paid_twice': onPaidTwice,
  },
  mails: [...Object.values(memberMails), ...Object.values(staffMails)],
})
