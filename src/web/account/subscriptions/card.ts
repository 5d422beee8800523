import { clockNow } from '#src/areas/learning/index.ts'
import { MethodSetup } from '#src/areas/memberships/index.ts'
import { beginPayment } from '#src/areas/shop/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import type { Pairs } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import { fromId } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'
import { form, formKeyIn, noticeFor, page, shownAgain } from '#src/web/page/index.ts'
import { keyField } from './key-field.ts'
import { buildPath, isUnavailable, readAgain, type SubscriptionContext, subscriber } from './own.ts'

const PATH = '/account/subscriptions/:subscription/payment-methods'

const { backToOne, card: text, refusals } = texts.account.subscriptions.subscription

// For how long somebody may take to enter a card.
const OPEN_MS = 30 * 60_000

const show = async (context: SubscriptionContext, refusal?: Refusal): Promise<Reply> => {
  const { subscription, t, form, frame, language } = context
  const { status, method, item } = subscription
  const label = t(method === null ? text.add : text.change)
  const button = html`${keyField()}<div class="buttons"><button class="main" type="submit">${label}</button></div>`
  return frame({
    title: label,
    ...noticeFor(refusal, language, { said: refusals }),
    leadsAway: true,
    body: html`<p>${t(text.of, { name: item.name })} ${t(status === 'past_due' ? text.aboutDue : text.about)}</p>
${form(button, `${buildPath(subscription)}/payment-methods`)}
<p class="quiet"><a href="${buildPath(subscription)}">${t(backToOne)}</a></p>`,
  })
}

const begin = async (context: SubscriptionContext, typed: Pairs): Promise<string> => {
  const { subscription, request, school, parts, language, call } = context
  const { id, item } = subscription
  const operation = 'createAccountSubscriptionPaymentMethod'
  const params = { subscription_id: id }
  const setup = await call({ operation, params, body: {}, ...formKeyIn(typed), returns: MethodSetup })
  const paymentId = fromId('pay', setup.id)
  if (paymentId === undefined) throw new Error(`${setup.id} is not the id of a payment`)
  const back = `${school.siteOrigin}${buildPath(subscription)}`
  const now = await request.database.statements(school.id, clockNow)
  const begun = await beginPayment(
    { database: request.database, school, keyFor: parts.keyFor },
    {
      paymentId,
      reference: id,
      description: item.name.slice(0, 200),
      returnUrl: `${back}?done=card`,
      cancelUrl: back,
      locale: language,
      endsAt: new Date(now.getTime() + OPEN_MS),
    },
  )
  return 'redirect' in begun ? begun.redirect : buildPath(subscription)
}

/** GET and POST /account/subscriptions/:subscription/payment-methods: another card; apps lead to the page below as well. */
export const cardPages = [
  page(`GET ${PATH}`, subscriber, context => show(context)),
  page(`GET ${PATH}/:payment`, subscriber, context => show(context)),
  form(`POST ${PATH}`, subscriber, (context, typed) =>
    shownAgain(
      () => begin(context, typed),
      async refusal => show(await readAgain(context), refusal),
      isUnavailable,
    ),
  ),
]
