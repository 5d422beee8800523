import type { Static } from 'typebox'
import { PaymentMethodPage } from '#src/areas/shop/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { formField } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { idPattern } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'
import { buildOutcome, choiceButton, form, page, redirect, shownAgain } from '#src/web/page/index.ts'
import { backLink } from './links.ts'
import { type AccountContext, owner } from './parts.ts'

const { paymentMethods: text } = texts.account

const PATH = '/account/payment-methods'
const METHOD = new RegExp(idPattern('pym'))

type OwnMethod = Encoded<Static<typeof PaymentMethodPage>>['data'][number]

const formatBrand = (brand: string): string => brand.charAt(0).toUpperCase() + brand.slice(1).replaceAll('_', ' ')

/** A saved method, as people know it. */
export const describeSaved = ({ brand, last4 }: Pick<OwnMethod, 'brand' | 'last4'>): string =>
  `${formatBrand(brand)} •••• ${last4}`

const card = (one: OwnMethod, { t, form, day }: AccountContext): Html => {
  const { id, expires, used_for: names, created_at: at } = one
  const facts = [...(expires === null ? [] : [t(text.expires, { month: expires })]), t(text.since, { day: day(at) })]
  return html`<section class="card" aria-labelledby="${id}">
<h2 id="${id}"><bdi>${describeSaved(one)}</bdi></h2>
<p class="quiet">${facts.join(' · ')}</p>
${
  names.length > 0
    ? html`<p>${t(text.usedFor, { names: names.join(', ') })} <a href="/account/subscriptions">${t(texts.words.yourSubscriptions)}</a></p>`
    : form(choiceButton('method', id, t(text.forget), describeSaved(one)))
}
</section>
`
}

const show = async (context: AccountContext, refusal?: Refusal): Promise<Reply> => {
  const { t, call, frame, language } = context
  const { data } = await call({ operation: 'listAccountPaymentMethods', returns: PaymentMethodPage })
  return frame({
    title: t(text.title),
    ...buildOutcome(context, refusal, {
      said: { ...text.refusals, other: text.refusals.payment_method_in_use },
      done: text.done,
    }),
    body: html`<p>${t(data.length === 0 ? text.none : text.about)}</p>
${data.map(one => card(one, context))}
${backLink(language)}`,
  })
}

/** GET and POST /account/payment-methods: the saved methods of a person, and a button to forget one with which nothing is charged. */
export const paymentMethodsPages = [
  page(`GET ${PATH}`, owner, context => show(context)),
  form(`POST ${PATH}`, owner, async (context, typed) => {
    const id = formField(typed, 'method')
    if (!METHOD.test(id)) return redirect(PATH)
    return shownAgain(
      async () => {
        await context.call({ operation: 'deleteAccountPaymentMethod', params: { method_id: id } })
        return `${PATH}?done=forgotten`
      },
      refusal => show(context, refusal),
      ({ problem }) => problem === notFound,
    )
  }),
]
