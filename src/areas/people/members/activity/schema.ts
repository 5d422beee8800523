import Type from 'typebox'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { Closed, Instant, OneOf, Person } from '#src/kit/shapes.ts'
import { kinds } from './rules.ts'

const Client = Closed('ActivityClient', {
  id: Type.String({ description: 'The client_id of the app' }),
  name: Type.String(),
})

/** Something that a member did, or that happened to them. */
export const Activity = Closed('Activity', {
  id: Type.String({ description: 'The id of the entry of the audit log (aud_…), session (ses_…) or event (sev_…)' }),
  at: Instant,
  kind: OneOf(kinds, 'did by the member, happened to them, signed_in, or security'),
  operation: Type.Optional(Type.String({ description: 'The id of the operation' })),
  event: Type.Optional(Type.String({ description: 'Of security: what it was' })),
  client: Type.Optional(Client),
  by: Type.Optional(Person),
  fields: Type.Optional(Type.Array(Type.String(), { description: 'The names of the fields that changed' })),
})

/** One page of what a member did. */
export const ActivityPage = PageOf(Activity, 'ActivityPage')

/** The query parameters of the activity of a member. */
export const ActivityQuery = Type.Object({ ...PageQuery })
