import Type from 'typebox'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { Closed, Id, Instant } from '#src/kit/shapes.ts'

/** An app with a grant of the person. */
export const ConnectedApp = Closed('ConnectedApp', {
  id: Id('app'),
  client_id: Type.String(),
  name: Type.String({ description: 'The name of the app' }),
  verified: Type.Boolean({ description: 'Whether the school registered the app' }),
  current: Type.Boolean({ description: 'Whether it is the app that sent the request' }),
  scopes: Type.Array(Type.String(), { description: 'The scopes of the app' }),
  created_at: Instant,
  updated_at: Instant,
  last_used_at: Instant,
  expires_at: Instant,
})

/** One page of connected apps. */
export const ConnectedAppPage = PageOf(ConnectedApp, 'ConnectedAppPage')

/** The query of a list of connected apps. */
export const ConnectedAppQuery = Type.Object({ ...PageQuery })

/** A connected app in a path. */
export const ConnectedAppRef = Type.Object({ app_id: Id('app') })
