import type { Static } from 'typebox'
import type { MailKind } from '#src/contract/mail.ts'
import type { School } from '#src/contract/school.ts'
import { showMail } from '#src/identity/index.ts'
import type { OutboxRow } from './queries.ts'
import type { OutboxMail, OutboxMailText } from './schema.ts'

type Kinds = ReadonlyMap<string, MailKind>

const renderShown = (row: OutboxRow, school: School, kinds: Kinds) => {
  const kind = kinds.get(row.kind)
  return kind === undefined ? { subject: row.kind, text: '', hasSecrets: false } : showMail(kind, row, school)
}

/** A mail without its text. */
export const mailView = (row: OutboxRow, school: School, kinds: Kinds): Static<typeof OutboxMail> => {
  const { id, kind, recipient, member_id, state, attempts, last_error: error, recorded_at, done_at } = row
  const { subject, hasSecrets } = renderShown(row, school, kinds)
  const has_secrets = row.has_text && hasSecrets
  return { id, kind, recipient, member_id, subject, state, attempts, error, has_secrets, recorded_at, done_at }
}

/** A mail with its text, where that is still there. */
export const textView = (row: OutboxRow, school: School, kinds: Kinds): Static<typeof OutboxMailText> => ({
  ...mailView(row, school, kinds),
  text: row.has_text ? renderShown(row, school, kinds).text : null,
})
