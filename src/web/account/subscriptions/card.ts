import { clockNow } from '#src/areas/learning/index.ts'
import { MethodSetup } from '#src/areas/memberships/index.ts'
import { beginPayment } from '#src/areas/shop/index.ts'
import type { Endpoint, Reply } from '#src/contract/endpoint.ts'
import { fill } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import type { Pairs } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import { redirectingPageHeaders } from '#src/kit/html-page.ts'
import { fromId } from '#src/kit/ids.ts'
import { formOf, framed, redirect } from '#src/web/page/index.ts'
import type { AccountPagesParts } from '../parts.ts'
import { formKeyIn, keyField } from './form-key.ts'
import { ownSubscription } from './one.ts'
import { pathOf } from './parts.ts'
import type { OwnSubscription } from './shown.ts'
import { subscriptionText } from './text.ts'
import { refusedAs, shownRefusal, subscriptionForm, subscriptionPage, type Visit } from './visit.ts'

const PATH = '/account/subscriptions/:subscription/payment-methods'

const { card: text } = subscriptionText

// For how long somebody may take to enter a card.
const OPEN_MS = 30 * 60_000

// The form leads to the page of a provider, which is at an origin of its own.
const show = async (visit: Visit, refusal?: Refusal): Promise<Reply> => {
  const { language, request, token } = visit
  const subscription = await ownSubscription(visit)
  const about = subscription.status === 'past_due' ? text.aboutDue : text.about
  const label = fill(subscription.method === null ? text.add : text.change, language)
  const button = html`${keyField()}<div class="buttons"><button class="main" type="submit">${label}</button></div>`
  const reply = framed({
    school: request.school,
    language,
    title: label,
    ...refusedAs(refusal, language),
    body: html`<p>${fill(text.of, language, { name: subscription.item.name })} ${fill(about, language)}</p>
${formOf(`${pathOf(subscription)}/payment-methods`, token, button)}
<p class="quiet"><a href="${pathOf(subscription)}">${fill(subscriptionText.backToOne, language)}</a></p>`,
  })
  const policy = 'content-security-policy'
  return { ...reply, headers: { ...reply.headers, [policy]: redirectingPageHeaders[policy] ?? '' } }
}

const begin = async (visit: Visit, { id, item }: OwnSubscription, form: Pairs): Promise<string> => {
  const { performAs, person, request, parts, language } = visit
  const { database, school, sessionPath } = request
  const call = { operation: 'createAccountSubscriptionPaymentMethod', params: { subscription_id: id }, body: {} }
  const setup = await performAs(person, { ...call, ...formKeyIn(form), returns: MethodSetup })
  const paymentId = fromId('pay', setup.id)
  if (paymentId === undefined) throw new Error(`${setup.id} is not the id of a payment`)
  // On loopback only a page below the path of the session finds it.
  const back = `${school.baseUrl}${sessionPath}${pathOf({ id })}`
  const now = await database.statements(school.id, clockNow)
  const begun = await beginPayment(
    { database, school, keyFor: parts.keyFor },
    {
      paymentId,
      reference: id,
      description: item.name.slice(0, 200),
      ...{ returnUrl: `${back}?done=card`, cancelUrl: back },
      locale: language,
      endsAt: new Date(now.getTime() + OPEN_MS),
    },
  )
  return 'redirect' in begun ? begun.redirect : pathOf({ id })
}

const submit = async (visit: Visit, form: Pairs): Promise<Reply> => {
  const subscription = await ownSubscription(visit)
  try {
    return redirect(await begin(visit, subscription, form))
  } catch (error) {
    return show(visit, shownRefusal(error))
  }
}

/** GET and POST /account/subscriptions/:subscription/payment-methods: another card; apps lead to the page below as well. */
export const cardEndpoints = (parts: AccountPagesParts): Endpoint[] => [
  subscriptionPage(`GET ${PATH}`, parts, visit => show(visit)),
  subscriptionPage(`GET ${PATH}/:payment`, parts, visit => show(visit)),
  subscriptionForm(`POST ${PATH}`, parts, submit),
]
