import Type from 'typebox'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { Closed, Id, Instant, Nullable, Personal } from '#src/kit/shapes.ts'

/** A browser in which the person is signed in. */
export const Session = Closed('Session', {
  id: Id('ses'),
  browser: Nullable(Personal(Type.String({ description: 'The User-Agent of the browser' }))),
  created_at: Instant,
  updated_at: Instant,
  signed_in_at: Instant,
})

/** One page of sessions. */
export const SessionPage = PageOf(Session, 'SessionPage')

/** The query of a list of sessions. */
export const SessionQuery = Type.Object({ ...PageQuery })

/** A session in a path. */
export const SessionRef = Type.Object({ session_id: Id('ses') })
