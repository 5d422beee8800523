import type { CallAsPerson } from '#src/contract/page-call.ts'
import type { Files } from '#src/contract/store.ts'

/** What the learning pages need. */
export type LearnPagesParts = {
  /** The installation's secret, from which the tokens of the forms are derived. */
  readonly secret: string
  /** Performs declared operations for the signed-in person; these pages read and write in no other way. */
  readonly performAs: CallAsPerson
  /** Where files are stored: recordings and pictures may come from a bucket. */
  readonly files: Files
}
