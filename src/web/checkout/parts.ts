import type { CallAsPerson } from '#src/contract/page-call.ts'
import type { Random } from '#src/kit/crypto.ts'

/** What the pages of the checkout need. */
export type CheckoutPagesParts = {
  /** The installation's secret, from which the tokens of the forms and the secrets of new sessions are derived. */
  readonly secret: string
  readonly random: Random
  /** Performs declared operations, for the signed-in person, a visitor, or a buyer who proves their address. */
  readonly performAs: CallAsPerson
}
