import { fill, type Phrase } from '#src/contract/language.ts'
import { formField } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { termsText } from '#src/web/account/index.ts'
import { field, folded, hidden, inputs, renderForm, select } from '#src/web/page/index.ts'
import { type SubscriptionAct, subscriptionActs } from './acts.ts'
import { oneText as text } from './text.ts'
import { buildPath, duePeriod, type SubscriptionView } from './view.ts'

type View = SubscriptionView

// What was typed into the form that was refused.
const typed = ({ refused }: View, act: SubscriptionAct, name: string): string =>
  refused?.act === act ? formField(refused.form, name) : ''

const choose = (
  view: View,
  act: SubscriptionAct,
  name: string,
  label: Phrase,
  choices: Readonly<Record<string, Phrase>>,
): Html => {
  const { t } = view.context
  const options = Object.entries(choices).map(([value, phrase]) => ({ value, label: t(phrase) }))
  return select(name, t(label), typed(view, act, name), options)
}

const { fields: words } = text

const day = (view: View, act: SubscriptionAct, name: string, label: Phrase, hint?: Phrase): Html =>
  field({
    name,
    id: `${act}-${name}`,
    attributes: inputs.day,
    label: fill(label, view.context.language),
    value: typed(view, act, name),
    ...(hint === undefined ? {} : { hint: fill(hint, view.context.language) }),
  })

const cancelFields = (view: View): Html => {
  const { t } = view.context
  const when = { period_end: words.atPeriodEnd, now: words.atNow, day: words.atDay }
  const refund = { none: words.refundNone, unused: words.refundUnused }
  const credit = {
    '': words.creditUsual,
    pay_back: words.creditPayBack,
    wait: words.creditWait,
    drop: words.creditDrop,
  }
  const reason = field({
    name: 'reason',
    id: 'cancel-reason',
    attributes: html`type="text" maxlength="500"`,
    label: t(words.reason),
    value: typed(view, 'cancel', 'reason'),
  })
  return html`${choose(view, 'cancel', 'at', words.at, when)}
${day(view, 'cancel', 'day', words.day, words.dayHint)}
${choose(view, 'cancel', 'refund', words.refund, refund)}
${view.subscription.credit > 0 && choose(view, 'cancel', 'credit', words.credit, credit)}
${reason}`
}

const pauseFields = (view: View): Html => html`${day(view, 'pause', 'until', words.until)}
${choose(view, 'pause', 'access', words.access, { stop: words.accessStop, keep: words.accessKeep })}`

const priceFields = (view: View): Html => {
  const { t, language } = view.context
  const options = view.prices.map(({ id, name, price }) => ({
    value: id,
    label: `${name}: ${termsText(price, language)}`,
  }))
  return html`${select('price_id', t(words.price), typed(view, 'price', 'price_id'), options)}
${choose(view, 'price', 'when', words.when, { now: words.atNow, period_end: words.atPeriodEnd })}
${choose(view, 'price', 'proration', words.proration, { prorate: words.prorate, none: words.noProration })}`
}

const codeField = (view: View): Html =>
  field({
    name: 'code',
    attributes: html`type="text" maxlength="64" autocomplete="off" spellcheck="false"`,
    label: fill(words.code, view.context.language),
    value: typed(view, 'code', 'code'),
  })

const fields: Partial<Record<SubscriptionAct, (view: View) => Html>> = {
  cancel: cancelFields,
  pause: pauseFields,
  next: view => day(view, 'next', 'day', words.day),
  price: priceFields,
  code: codeField,
}

const actForm = (act: SubscriptionAct, view: View): Html => {
  const { subscription, context, refused, formKey } = view
  const { t, token } = context
  const { title, about, button } = text.acts[act]
  const inside = html`${hidden({ act, step: 'check', revision: subscription.revision, form_key: `${act}-${formKey}` })}${fields[act]?.(view)}
<div class="buttons"><button type="submit">${t(button)}</button></div>`
  const form = html`<p class="quiet">${t(about)}</p>
${renderForm(buildPath(subscription), token, inside)}`
  return folded(t(title), form, refused?.act === act)
}

const runs = ({ subscription: { status } }: View): boolean =>
  status === 'trialing' || status === 'active' || status === 'past_due' || status === 'paused'

const isPaidFor = ({ subscription: { price, collection } }: View): boolean =>
  price !== null && collection !== 'complimentary'

const isDue = (view: View): boolean => duePeriod(view) !== undefined

// What a subscription does not allow is not offered; the operation decides all the same.
const isOffered: Readonly<Record<SubscriptionAct, (view: View) => boolean>> = {
  paid: view => isDue(view) && runs(view),
  waive: view => isDue(view) && runs(view),
  charge: view => isDue(view) && view.subscription.status === 'past_due' && view.subscription.method !== null,
  price: view => isPaidFor(view) && view.prices.length > 0 && ['active', 'trialing'].includes(view.subscription.status),
  pause: ({ subscription }) => subscription.status === 'active' && subscription.price?.number_of_payments == null,
  resume: ({ subscription }) => subscription.status === 'paused',
  next: view => isPaidFor(view) && view.subscription.next_charge_at !== null,
  code: view => isPaidFor(view) && runs(view) && view.subscription.code === null,
  uncode: view => isPaidFor(view) && runs(view) && view.subscription.code !== null,
  manual: view => runs(view) && view.subscription.collection === 'automatic',
  automatic: view => runs(view) && view.subscription.collection === 'manual' && view.subscription.method !== null,
  cancel: view => view.subscription.cancel_at === null && (runs(view) || view.subscription.status === 'incomplete'),
  keep: view => view.subscription.cancel_at !== null && runs(view),
  payback: view => view.subscription.credit > 0,
  drop: view => view.subscription.credit > 0 && !runs(view) && view.subscription.status !== 'incomplete',
}

/** What staff can do about a subscription; each shows what it does before it is done. */
export const actForms = (view: View): Html[] =>
  subscriptionActs.filter(act => isOffered[act](view) || view.refused?.act === act).map(act => actForm(act, view))
