import type { Confirmations } from '#src/contract/confirmation.ts'
import type { CallAsPerson, ExportAsPerson } from '#src/contract/page-call.ts'
import type { Files } from '#src/contract/store.ts'

/** What the pages of the staff need. */
export type StaffPagesParts = {
  /** The installation's secret, from which the tokens of the forms are derived. */
  readonly secret: string
  /** The requests that wait for a person's approval. */
  readonly confirmations: Confirmations
  /** Performs declared operations for the signed-in person; these pages write in no other way. */
  readonly performAs: CallAsPerson
  /** Exports lists as CSV. */
  readonly exportAs: ExportAsPerson
  /** What each operation does, in a few words of English, by its id. */
  readonly summaries: ReadonlyMap<string, string>
  /** Where files are stored, for the images of the appearance. */
  readonly files: Files
}
