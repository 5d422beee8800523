import type { Confirmations } from '#src/contract/confirmation.ts'
import type { Phrase } from '#src/contract/language.ts'
import type { MailKind } from '#src/contract/mail.ts'
import type { CallAsPerson } from '#src/contract/page-call.ts'
import type { Random } from '#src/kit/crypto.ts'

/** What the pages of an account need. */
export type AccountPagesParts = {
  /** The installation's secret, from which the tokens of the forms are derived. */
  readonly secret: string
  readonly random: Random
  /** What each scope allows, with the texts of the consent page. */
  readonly scopes: ReadonlyMap<string, { readonly sentence: Phrase }>
  /** The requests that wait for a person's approval. */
  readonly confirmations: Confirmations
  /** The kinds of mail, for the pages that turn them off. */
  readonly mailKinds: readonly MailKind[]
  /** Performs declared operations for the signed-in person. */
  readonly performAs: CallAsPerson
  /** A key for one purpose, derived from the installation's secret, with which payment providers are called. */
  keyFor(purpose: string): Buffer
}
