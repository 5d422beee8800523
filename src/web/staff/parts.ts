import type { Confirmations } from '#src/contract/confirmation.ts'
import type { CallAsPerson, ExportAsPerson } from '#src/contract/page-call.ts'
import type { Printer } from '#src/contract/print.ts'
import type { Files } from '#src/contract/store.ts'
import type { Pairs } from '#src/kit/form.ts'

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
  /** Prints the preview of a certificate. */
  readonly printer: Printer
  /** The key of a purpose, such as that of previews. */
  readonly keyFor: (purpose: string) => Buffer
  /** Where mails are sent; unset: they are written to files. */
  readonly mailServer?: MailServer | undefined
}

/** The server that sends the mails of this installation: its host, and the address that they come from. */
type MailServer = { readonly host: string; readonly from: string }

/** The sender of the mails of this installation, for operations that judge whether they arrive. */
export const senderQuery = ({ mailServer }: Pick<StaffPagesParts, 'mailServer'>): Pairs =>
  mailServer === undefined ? [] : [['sender', mailServer.from]]
