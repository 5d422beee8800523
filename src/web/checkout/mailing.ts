import { checkoutMails } from '#src/areas/shop/index.ts'
import type { EndpointRequest } from '#src/contract/endpoint.ts'
import { startSignUp } from '#src/identity/index.ts'
import { toId } from '#src/kit/ids.ts'
import { languageAt } from '#src/web/page/index.ts'
import { codePlaceOf } from './buyer.ts'
import type { CheckoutPagesParts } from './parts.ts'

/** Who gets a code, for which checkout; `back` is the address of its first page. */
type Addressee = {
  readonly id: string
  readonly browserBinding: string
  readonly email: string
  readonly name: string
  readonly back: string
}

/**
 * Mails a code to the buyer of a checkout, or a link to somebody who has an account: that of a member works in this browser
 * only, and staff are led to the sign-in. The reply, the statements and the limits are the same for every address.
 */
export const mailCode = (request: EndpointRequest, { secret, random }: CheckoutPagesParts, to: Addressee) => {
  const { school, database, network } = request
  const { id, browserBinding, email, name, back } = to
  const signIn = `${school.baseUrl}/account/sign-in?${new URLSearchParams({ return_to: back })}`
  const link = (key: string | undefined): string =>
    key === undefined ? signIn : `${school.baseUrl}/checkout/${toId('chk', id)}?key=${key}`
  return startSignUp(
    database,
    school,
    { secret, random },
    {
      ...{ email, name, network, locale: languageAt(request) },
      boundTo: codePlaceOf(id, browserBinding).boundTo,
      accountMail: { kind: checkoutMails.checkout_sign_in, link },
    },
  )
}
