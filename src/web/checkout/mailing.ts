import { checkoutMails } from '#src/areas/shop/index.ts'
import { startSignUp } from '#src/identity/index.ts'
import { buildCodePlace, checkoutPath } from './buyer.ts'
import type { CheckoutContext } from './parts.ts'

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
export const mailCode = ({ request, school, language, parts }: CheckoutContext, to: Addressee) => {
  const { database, network } = request
  const { id, browserBinding, email, name, back } = to
  const signIn = `${school.siteOrigin}/account/sign-in?${new URLSearchParams({ return_to: back })}`
  const link = (key: string | undefined): string =>
    key === undefined ? signIn : `${school.siteOrigin}${checkoutPath(id)}?key=${key}`
  return startSignUp(database, school, parts, {
    email,
    name,
    network,
    locale: language,
    boundTo: buildCodePlace(id, browserBinding).boundTo,
    accountMail: { kind: checkoutMails.checkout_sign_in, link },
  })
}
