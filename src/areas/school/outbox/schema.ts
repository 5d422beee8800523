import Type from 'typebox'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { Closed, Id, Instant, Nullable, OneOf, Personal } from '#src/kit/shapes.ts'

/** How far a mail has got. */
export const mailStates = ['waiting', 'written', 'sent', 'failed'] as const

const fields = {
  id: Id('eml'),
  kind: Type.String({ description: 'The kind of mail' }),
  recipient: Personal(Type.String({ description: 'The address that it is for' })),
  member_id: Nullable(Id('mem')),
  subject: Type.String({ description: 'Its subject; what is not stored any more is shown as …' }),
  state: OneOf(
    mailStates,
    '`written` where no mail server is set and it is a file in the data folder of the installation',
  ),
  attempts: Type.Integer({ minimum: 0, description: 'How often it was tried to send it' }),
  error: Nullable(Type.String({ description: 'Why the last attempt failed, without addresses' })),
  has_secrets: Type.Boolean({ description: 'Whether its text had a code or a link for the recipient alone' }),
  recorded_at: Instant,
  done_at: Nullable(Instant),
}

/** A mail of the school, without its text. */
export const OutboxMail = Closed('OutboxMail', fields)

/** One page of the outbox, newest first. */
export const OutboxPage = PageOf(OutboxMail, 'OutboxPage')

/** A mail of the school with its text. */
export const OutboxMailText = Closed('OutboxMailText', {
  ...fields,
  text: Nullable(
    Personal(
      Type.String({ description: 'Its text without codes and secret links; null once it was sent by a server' }),
    ),
  ),
})

/** The query parameters of the outbox. */
export const OutboxQuery = Type.Object({
  ...PageQuery,
  state: Type.Optional(OneOf(mailStates, 'Only mails in this state')),
  member_id: Type.Optional(Id('mem')),
})

/** The mail that is read. */
export const MailRef = Type.Object({ mail_id: Id('eml') })
