import Type from 'typebox'
import { Id } from '#src/kit/shapes.ts'
import { Count, declareFacts, FieldNames, Word } from './declaration.ts'

const scope = 'school:read'
const aboutWebhook = { scope, subject: 'webhook_id', readBy: 'getWebhook' } as const
const internal = { scope: 'internal' } as const

/** The facts about the school itself, and what it uses to sell and to be used. */
export const schoolFacts = {
  ...declareFacts(
    { scope, fields: { fields: FieldNames } },
    {
      'school.selling_updated': 'The settings of selling changed.',
      'school.updated': 'The school changed.',
    },
  ),
  ...declareFacts(
    { scope, fields: {} },
    {
      'school.test_sales_cleared': 'All that the test school had sold was deleted.',
      'school.went_live': 'Real money moves in the school from now on.',
    },
  ),
  ...declareFacts(
    { ...aboutWebhook, fields: { webhook_id: Id('whk') } },
    {
      'webhook.created': 'A webhook was created.',
      'webhook.deleted': 'A webhook was deleted.',
      'webhook.enabled': 'A webhook is sent facts again.',
      'webhook.secret_rotated': 'A webhook got a new secret.',
    },
  ),
  ...declareFacts(
    { ...aboutWebhook, fields: { webhook_id: Id('whk'), fields: FieldNames } },
    { 'webhook.updated': 'A webhook changed.' },
  ),
  ...declareFacts(
    { ...aboutWebhook, fields: { webhook_id: Id('whk'), reason: Word } },
    { 'webhook.disabled': 'A webhook is sent no more facts.' },
  ),
  ...declareFacts(
    { ...internal, fields: { steps: FieldNames } },
    { 'school.guide_skipped': 'A step of the guide for owners was put off.' },
  ),
  ...declareFacts(
    { ...internal, fields: { member_id: Id('mem') } },
    { 'school.test_mail_sent': 'A member of the staff had a test message sent to themselves.' },
  ),
  ...declareFacts(
    { ...internal, fields: { client_id: Type.String({ maxLength: 255 }) } },
    {
      'integration.created': 'An integration was created.',
      'integration.deleted': 'An integration was removed.',
      'integration.secret_rotated': 'An integration got a new secret.',
      'integration.updated': 'An integration changed.',
    },
  ),
  ...declareFacts(
    { ...internal, fields: { provider: Word } },
    {
      'payment_provider.connected': 'A payment provider made the endpoint for its notices.',
      'payment_provider.failed': 'A payment provider could not be used.',
      'payment_provider.removed': 'A payment provider was removed.',
    },
  ),
  ...declareFacts(
    { ...internal, fields: { provider: Word, missing: Count, new_missing: Count } },
    { 'payment_provider.checked': 'A payment provider was checked.' },
  ),
  ...declareFacts(
    { ...internal, fields: { provider: Word, fields: FieldNames } },
    { 'payment_provider.set': 'A payment provider was set up.' },
  ),
  ...declareFacts(
    { ...internal, fields: { provider: Word, use: Word } },
    { 'payment_provider.use_changed': 'A payment provider is used for something else.' },
  ),
}
