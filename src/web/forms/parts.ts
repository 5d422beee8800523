import type { CallAsPerson } from '#src/contract/page-call.ts'
import type { Random } from '#src/kit/crypto.ts'

/** What the pages of forms need. */
export type FormPagesParts = {
  /** The installation's secret, from which the tokens of the forms are derived. */
  readonly secret: string
  readonly random: Random
  /** A key for one purpose, derived from the installation's secret. */
  keyFor(purpose: string): Buffer
  /** Performs declared operations, for the signed-in person or a visitor. */
  readonly performAs: CallAsPerson
}
