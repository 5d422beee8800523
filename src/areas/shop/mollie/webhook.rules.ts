import type { ProviderEvent, WebhookBytes } from '#src/contract/payments.ts'
import type { School } from '#src/contract/school.ts'
import { hmac, sameBytes } from '#src/kit/crypto.ts'

/** What the address of a webhook is signed for and with. */
export type Signing = { readonly school: Pick<School, 'id'>; keyFor(purpose: string): Buffer }

const sign = ({ school, keyFor }: Signing, paymentId: string): string =>
  hmac(keyFor('mollie webhook'), `${school.id}.${paymentId}`).toString('base64url')

/** The address at which Mollie reports a payment. Its notices are not signed, so the address is. */
export const signAddress = (signing: Signing, webhookUrl: string, paymentId: string): string =>
  `${webhookUrl}?${new URLSearchParams({ payment: paymentId, key: sign(signing, paymentId) })}`

const REF = /^tr_\w{1,250}$/

/** The event of a notice; undefined for one that was not sent to an address of ours, and none for what is not a payment. */
export const readNotice = (signing: Signing, { bytes, query }: WebhookBytes): ProviderEvent[] | undefined => {
  const address = new URLSearchParams(query)
  const id = address.get('payment') ?? ''
  const key = Buffer.from(address.get('key') ?? '')
  if (!sameBytes(key, Buffer.from(sign(signing, id)))) return undefined
  const ref = new URLSearchParams(bytes.toString()).get('id') ?? ''
  return REF.test(ref) ? [{ type: 'payment', payment: { id, ref } }] : []
}
