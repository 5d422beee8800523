import type { Phrase } from '#src/contract/language.ts'
import type { Field } from './fields.ts'
import { settingsText as text } from './text.ts'

const { labels, hints, choices } = text

const choice = (path: string, label: Phrase, of: Readonly<Record<string, Phrase>>, hint?: Phrase): Field => ({
  path,
  label,
  kind: 'choice' as const,
  choices: Object.entries(of),
  ...(hint === undefined ? {} : { hint }),
})

/** The settings of the school itself, its name first. */
export const schoolFields: readonly Field[] = [
  { path: 'name', label: labels.name, kind: 'line', max: 120 },
  { path: 'description', label: labels.description, hint: hints.description, kind: 'lines', max: 10_000 },
  { path: 'contact_email', label: labels.contact, hint: hints.contact, kind: 'line', max: 254, isOptional: true },
  { path: 'locale', label: labels.locale, hint: hints.locale, kind: 'language' },
  { path: 'supported_locales', label: labels.locales, hint: hints.locales, kind: 'languages' },
  { path: 'time_zone', label: labels.zone, kind: 'zone' },
  { path: 'country', label: labels.country, kind: 'country' },
  { path: 'currency', label: labels.currency, hint: hints.currency, kind: 'currency' },
  choice('signup_mode', labels.signUp, choices.signUp),
  choice('review_mode', labels.reviews, choices.reviews),
]

/** Who sells, as invoices name them. */
export const sellerFields: readonly Field[] = [
  { path: 'name', label: labels.legalName, hint: hints.legalName, kind: 'line', max: 120, isOptional: true },
  { path: 'address.line1', label: labels.line1, kind: 'line', max: 120, isOptional: true },
  { path: 'address.line2', label: labels.line2, kind: 'line', max: 120, isOptional: true },
  { path: 'address.postal_code', label: labels.postalCode, kind: 'line', max: 20, isOptional: true },
  { path: 'address.city', label: labels.city, kind: 'line', max: 120, isOptional: true },
  { path: 'address.region', label: labels.region, kind: 'line', max: 120, isOptional: true },
  { path: 'address.country', label: labels.country, kind: 'country' },
  { path: 'tax_id', label: labels.taxId, hint: hints.taxId, kind: 'line', max: 30, isOptional: true },
  {
    path: 'registration',
    label: labels.registration,
    hint: hints.registration,
    kind: 'line',
    max: 200,
    isOptional: true,
  },
  { path: 'email', label: labels.sellerEmail, hint: hints.sellerEmail, kind: 'line', max: 254, isOptional: true },
]

/** Taxes on what is sold. */
export const taxFields: readonly Field[] = [
  choice('mode', labels.taxMode, choices.taxMode),
  { path: 'rates', label: labels.rates, hint: hints.rates, kind: 'rates' },
  choice('taxed_at.online', labels.taxedAt, choices.taxedAt),
  { path: 'reverse_charge', label: labels.reverseCharge, hint: hints.reverseCharge, kind: 'check' },
]

/** How people buy. */
export const checkoutFields: readonly Field[] = [
  { path: 'hold_minutes', label: labels.holdMinutes, hint: hints.holdMinutes, kind: 'number' },
  { path: 'manual_hold_days', label: labels.holdDays, hint: hints.holdDays, kind: 'number' },
  { path: 'terms_page_id', label: labels.terms, hint: hints.terms, kind: 'page' },
  {
    path: 'withdrawal_waiver.text',
    label: labels.waiver,
    hint: hints.waiver,
    kind: 'lines',
    max: 2000,
    isOptional: true,
  },
  { path: 'withdrawal_waiver.required', label: labels.waiverRequired, kind: 'check' },
  { path: 'order_prefix', label: labels.orderPrefix, hint: hints.prefix, kind: 'line', max: 12 },
  { path: 'invoice_prefix', label: labels.invoicePrefix, hint: hints.prefix, kind: 'line', max: 12 },
  choice('invoice_language', labels.invoiceLanguage, choices.invoiceLanguage),
  { path: 'retain_years', label: labels.retainYears, hint: hints.retainYears, kind: 'number' },
]

/** What happens to subscriptions that are not paid. */
export const subscriptionFields: readonly Field[] = [
  choice('past_due_access', labels.pastDue, choices.pastDue),
  { path: 'retry_days', label: labels.retryDays, hint: hints.retryDays, kind: 'numbers' },
  choice('after_retries', labels.afterRetries, choices.afterRetries),
  choice('credit_on_end', labels.creditOnEnd, choices.creditOnEnd),
  { path: 'trial_needs_method', label: labels.trialMethod, kind: 'check' },
  { path: 'one_trial_per_member', label: labels.oneTrial, kind: 'check' },
  { path: 'members_may_pause', label: labels.membersPause, kind: 'check' },
]

/** Who may comment on what. */
export const commentFields: readonly Field[] = [
  choice('posts', labels.commentPosts, choices.comments),
  choice('courses', labels.commentCourses, choices.comments),
  choice('lessons', labels.commentLessons, choices.comments),
  choice('events', labels.commentEvents, choices.comments),
]
