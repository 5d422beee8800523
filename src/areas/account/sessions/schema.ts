import Type from 'typebox'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { Id, Instant, Nullable, Personal } from '#src/kit/shapes.ts'

/** A browser in which the person is signed in. */
export const Session = Type.Object(
  {
    id: Id('ses'),
    browser: Nullable(Personal(Type.String({ description: 'What the browser calls itself' }))),
    created_at: Instant,
    updated_at: Instant,
    signed_in_at: Instant,
  },
  { additionalProperties: false, title: 'Session' },
)

/** One page of sessions. */
export const SessionPage = PageOf(Session, 'SessionPage')

/** What a list of sessions can be asked. */
export const SessionQuery = Type.Object({ ...PageQuery })

/** The session that is meant. */
export const SessionRef = Type.Object({ session_id: Id('ses') })
