import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { signInRequired } from '#src/contract/problems.ts'
import type { Session } from '#src/identity/index.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { atPage, formToken, languageAt, redirect } from '#src/web/page/index.ts'
import { withOwnOrder, withPostedOrder } from './own-order.ts'
import { type BillingFields, billingPage } from './pages/billing.ts'
import { orderPath } from './pages/order.ts'
import type { OwnOrder } from './pages/order-status.ts'
import type { AccountPagesParts } from './parts.ts'

const PATH = '/account/orders/:number/billing'

const storedIn = ({ billing }: OwnOrder): BillingFields => ({
  ...{ name: billing.name ?? '', company: billing.company ?? '', tax_id: billing.tax_id ?? '' },
  ...{ line1: billing.address?.line1 ?? '', line2: billing.address?.line2 ?? '' },
  ...{ postal_code: billing.address?.postal_code ?? '', city: billing.address?.city ?? '' },
  ...{ region: billing.address?.region ?? '', country: billing.country ?? '' },
})

const typedIn = (form: Pairs): BillingFields => {
  const typed = (name: keyof BillingFields): string => formField(form, name).trim()
  return {
    ...{ name: typed('name'), company: typed('company'), tax_id: typed('tax_id') },
    ...{ line1: typed('line1'), line2: typed('line2'), postal_code: typed('postal_code') },
    ...{ city: typed('city'), region: typed('region'), country: typed('country') },
  }
}

const orNull = (text: string): string | null => (text === '' ? null : text)

const bodyOf = ({ name, company, country, tax_id, ...address }: BillingFields) => {
  const { line1, line2, postal_code, city, region } = address
  const isEmpty = Object.values(address).every(text => text === '')
  return {
    ...{ name: orNull(name), company: orNull(company), country: orNull(country), tax_id: orNull(tax_id) },
    address: isEmpty
      ? null
      : { line1, line2: orNull(line2), postal_code: orNull(postal_code), city, region: orNull(region) },
  }
}

const pageOf = (
  request: EndpointRequest,
  parts: AccountPagesParts,
  session: Session,
  order: OwnOrder,
  more: { readonly typed?: BillingFields; readonly refusal?: Refusal } = {},
): Reply =>
  billingPage({
    school: request.school,
    language: languageAt(request, session),
    token: formToken(parts.secret, request.school.id, { session }),
    order,
    values: more.typed ?? storedIn(order),
    refusal: more.refusal,
  })

const show = (request: EndpointRequest, parts: AccountPagesParts): Promise<Reply> =>
  withOwnOrder(request, parts, async (session, order) =>
    order.status === 'pending' ? pageOf(request, parts, session, order) : redirect(orderPath(order)),
  )

const submit = (request: EndpointRequest, parts: AccountPagesParts): Promise<Reply> =>
  withPostedOrder(request, parts, async (session, order, form) => {
    const typed = typedIn(form)
    if (order.status !== 'pending') return redirect(orderPath(order))
    const params = { order_id: order.id }
    try {
      const call = { operation: 'updateAccountOrderBilling', params, body: bodyOf(typed) }
      await parts.performAs(atPage(request, session), call)
      return redirect(`${orderPath(order)}?done=billing`)
    } catch (error) {
      if (!(error instanceof Refusal) || error.problem.status >= 500) throw error
      if (error.problem === signInRequired) return redirect(`${orderPath(order)}/billing`)
      return pageOf(request, parts, session, order, { typed, refusal: error })
    }
  })

/** GET and POST /account/orders/:number/billing: to whom an order that waits for payment is billed. */
export const billingEndpoints = (parts: AccountPagesParts): Endpoint[] => [
  endpoint({ route: `GET ${PATH}`, handle: request => show(request, parts) }),
  endpoint({ route: `POST ${PATH}`, handle: request => submit(request, parts) }),
]
