import type { CallAsPerson } from '#src/contract/page-call.ts'
import type { Files } from '#src/contract/store.ts'

/** What the pages of a school's site need. */
export type SitePagesParts = {
  /** The installation's secret, from which the tokens of forms are derived. */
  readonly secret: string
  /** Performs declared operations for an anonymous visitor; these pages read in no other way. */
  readonly performAs: CallAsPerson
  /** Where files are stored: pictures may come from a bucket. */
  readonly files: Files
  /** A key for one purpose, derived from the installation's secret. */
  keyFor(purpose: string): Buffer
}
