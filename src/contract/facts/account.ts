import Type from 'typebox'
import { Id } from '#src/kit/shapes.ts'
import { declareFacts, Word } from './declaration.ts'

const internal = { scope: 'internal' } as const
const member = { member_id: Id('mem') }
const clientId = Type.String({ maxLength: 2000 })

/** The facts about what people do with their own account; none of them leaves the school. */
export const accountFacts = {
  ...declareFacts(
    { ...internal, subject: 'member_id', fields: member },
    {
      'account.calendar_revoked': 'A member revoked the address of their calendar.',
      'account.deletion_canceled': 'A member cancelled the deletion of their account.',
      'account.deletion_requested': 'A member asked for the deletion of their account.',
    },
  ),
  ...declareFacts(
    { ...internal, subject: 'export_id', fields: { export_id: Id('exp'), ...member } },
    {
      'account.export_ready': "The export of a member's data can be downloaded.",
      'account.export_requested': 'A member asked for an export of their data.',
    },
  ),
  ...declareFacts(
    { ...internal, subject: 'app_id', fields: { app_id: Id('app'), client_id: clientId, ...member } },
    { 'app.disconnected': 'A member took back the access of an app.' },
  ),
  ...declareFacts(
    { ...internal, subject: 'grant_id', fields: { grant_id: Id('grt'), client_id: clientId, ...member } },
    { 'grant.replayed': 'A refresh token was used twice, and the grant ended.' },
  ),
  ...declareFacts(
    { ...internal, subject: 'session_id', fields: { session_id: Id('ses'), ...member } },
    { 'session.deleted': 'A member ended a session.' },
  ),
  ...declareFacts(
    { ...internal, subject: 'payment_id', fields: { payment_id: Id('pay'), ...member } },
    { 'payment_method.asked': 'A member was asked for a payment method.' },
  ),
  ...declareFacts(
    {
      ...internal,
      subject: 'payment_method_id',
      fields: { payment_method_id: Id('pym'), ...member, provider: Word },
    },
    {
      'payment_method.removed': 'A member had a saved payment method forgotten.',
      'payment_method.saved': 'A payment method was saved.',
    },
  ),
}
