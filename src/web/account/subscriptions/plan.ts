import { PriceChange, Proration } from '#src/areas/memberships/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formKept } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { idPattern } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'
import { form, hidden, noticeFor, page, shownAgain } from '#src/web/page/index.ts'
import { termsText } from '../recurring.ts'
import { type PlanChoice, readChoices } from './choices.ts'
import { buildPath, isUnavailable, readAgain, type SubscriptionContext, subscriber } from './own.ts'
import { type ProrationShown, prorationTable } from './proration-table.ts'

const PATH = '/account/subscriptions/:subscription/plan'

const PRICE = new RegExp(idPattern('prc'))

const { backToOne, change: text, refusals } = texts.account.subscriptions.subscription

type Timing = 'now' | 'period_end'

const parseTiming = (text: string): Timing | undefined => (text === 'now' || text === 'period_end' ? text : undefined)

const backLink = ({ t, subscription }: SubscriptionContext): Html =>
  html`<p class="quiet"><a href="${buildPath(subscription)}">${t(backToOne)}</a></p>`

const choiceItem = ({ id, name, price }: PlanChoice, { t, language, subscription }: SubscriptionContext): Html => {
  const href = `${buildPath(subscription)}/plan?price=${id}`
  const terms = termsText(price, language)
  return html`<li>
<span><bdi>${name}</bdi></span> <span class="amount">${terms}</span>
<a class="next" href="${href}" aria-label="${t(text.chooseOne, { name: `${name}, ${terms}` })}">${t(texts.words.seeWhatItCosts)}</a>
</li>
`
}

const showChoices = (choices: readonly PlanChoice[], context: SubscriptionContext, refusal?: Refusal): Reply => {
  const { subscription, t, frame, language } = context
  const { item, price } = subscription
  const terms = price === null ? '' : termsText(price, language)
  return frame({
    title: t(text.title),
    ...noticeFor(refusal, language, { said: refusals }),
    body: html`<p>${t(text.about, { name: item.name, terms })}</p>
${
  choices.length === 0
    ? html`<p>${t(text.none)}</p>`
    : html`<ul class="list orders">
${choices.map(choice => choiceItem(choice, context))}</ul>`
}
${backLink(context)}`,
  })
}

type Preview = { readonly choice: PlanChoice; readonly proration: ProrationShown; readonly when: Timing }

const nowPart = (
  { proration }: Preview,
  { t, language, viewer }: SubscriptionContext,
): Html => html`<h2>${t(text.now)}</h2>
${prorationTable(proration, { language, person: viewer })}
${proration.to_pay > 0 && html`<p class="quiet">${t(text.whenPaid)}</p>`}`

const formatLabel = ({ when, proration }: Preview, { subscription, t, day, money }: SubscriptionContext): string => {
  const { current_period: period } = subscription
  if (when === 'period_end' && period !== null) return t(text.buttonLater, { day: day(period.until) })
  const { to_pay: amount, currency } = proration
  return amount === 0 ? t(text.button) : t(text.buttonPay, { amount: money(amount, currency) })
}

// What a change costs, line by line, before the button that does it.
const showPreview = (preview: Preview, context: SubscriptionContext): Reply => {
  const { subscription, t, day, form, frame, language } = context
  const { choice, when, proration } = preview
  const { current_period: period } = subscription
  const path = `${buildPath(subscription)}/plan`
  const inside = html`${hidden({ price: choice.id, when, quote: proration.quote ?? '' })}<div class="buttons"><button class="main" type="submit">${formatLabel(preview, context)}</button></div>`
  const other = when === 'now' ? 'period_end' : 'now'
  const later = period !== null && html`<p>${t(text.atPeriodEnd, { day: day(period.until) })}</p>`
  return frame({
    title: t(text.previewTitle, { name: choice.name }),
    body: html`<p>${t(text.newTerms, { terms: termsText(choice.price, language) })}</p>
${when === 'now' ? nowPart(preview, context) : later}
${form(inside, `${path}?price=${choice.id}&when=${when}`)}
<p><a href="${path}?price=${choice.id}&when=${other}">${t(when === 'now' ? text.later : text.sooner)}</a></p>
${backLink(context)}`,
  })
}

const show = async (context: SubscriptionContext, refusal?: Refusal): Promise<Reply> => {
  const { query, subscription, call } = context
  const choices = await readChoices(context)
  const choice = choices.find(({ id }) => id === query.get('price'))
  if (choice === undefined || refusal !== undefined) return showChoices(choices, context, refusal)
  return shownAgain(
    async () => {
      const proration = await call({
        operation: 'getAccountSubscriptionProration',
        params: { subscription_id: subscription.id },
        query: [['price_id', choice.id]],
        returns: Proration,
      })
      return showPreview({ choice, proration, when: parseTiming(query.get('when') ?? '') ?? proration.when }, context)
    },
    async refused => showChoices(choices, context, refused),
    isUnavailable,
  )
}

const change = async ({ subscription, call }: SubscriptionContext, typed: Pairs): Promise<string> => {
  const price = formField(typed, 'price')
  const when = parseTiming(formField(typed, 'when'))
  const quote = formField(typed, 'quote')
  const { status, order } = await call({
    operation: 'setAccountSubscriptionPrice',
    params: { subscription_id: subscription.id },
    body: {
      price_id: PRICE.test(price) ? price : 'prc_',
      ...(when === undefined ? {} : { when }),
      ...(when === 'now' && quote !== '' ? { quote } : {}),
    },
    returns: PriceChange,
  })
  if (status === 'unpaid' && order !== null) return `/account/orders/${order.number}/pay`
  return `${buildPath(subscription)}?done=${status === 'planned' ? 'planned' : 'changed'}`
}

/** GET and POST /account/subscriptions/:subscription/plan: another price, with what it costs before it is chosen. */
export const planPages = [
  page(`GET ${PATH}`, subscriber, context => show(context)),
  form(`POST ${PATH}`, subscriber, (context, typed) =>
    shownAgain(
      () => change(context, typed),
      async refusal => show(await readAgain(context), refusal.problem === formKept ? undefined : refusal),
      isUnavailable,
    ),
  ),
]
