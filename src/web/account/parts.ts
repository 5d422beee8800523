import type { Confirmations } from '#src/contract/confirmation.ts'
import type { Phrase } from '#src/contract/language.ts'
import type { MailKind } from '#src/contract/mail.ts'
import {
  type Audience,
  type PageContext,
  type PublicContext,
  type PublicParts,
  recentlySignedIn,
  signedIn,
} from '#src/web/page/index.ts'

/** What the pages of an account need. */
export type AccountPagesParts = PublicParts & {
  /** What each scope allows, with the texts of the consent page. */
  readonly scopes: ReadonlyMap<string, { readonly sentence: Phrase }>
  /** What each operation does, in a few words of English, by its id. */
  readonly summaries: ReadonlyMap<string, string>
  /** The requests that wait for a person's approval. */
  readonly confirmations: Confirmations
  /** The kinds of mail, for the pages that turn them off. */
  readonly mailKinds: readonly MailKind[]
  /** A key for one purpose, derived from the installation's secret, with which payment providers are called. */
  keyFor(purpose: string): Buffer
}

/** A page of an account. */
export type AccountContext = PageContext<AccountPagesParts>

/** A page of an account for people who are not signed in. */
export type VisitorContext = PublicContext<AccountPagesParts>

/** The person whose account it is. */
export const owner: Audience<AccountPagesParts, object> = signedIn

/** The same, who is asked to prove who they are before they see the page. */
export const recentOwner: Audience<AccountPagesParts, object> = recentlySignedIn
