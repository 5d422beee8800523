import Type from 'typebox'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { Id, Instant } from '#src/kit/shapes.ts'

/** An app that the person has allowed something that still holds. */
export const ConnectedApp = Type.Object(
  {
    id: Id('app'),
    client_id: Type.String(),
    name: Type.String({ description: 'What the app calls itself' }),
    verified: Type.Boolean({ description: 'Whether the school arranged the app' }),
    current: Type.Boolean({ description: 'Whether it is the app that asks' }),
    scopes: Type.Array(Type.String(), { description: 'All it may do' }),
    created_at: Instant,
    updated_at: Instant,
    last_used_at: Instant,
    expires_at: Instant,
  },
  { additionalProperties: false, title: 'ConnectedApp' },
)

/** One page of connected apps. */
export const ConnectedAppPage = PageOf(ConnectedApp, 'ConnectedAppPage')

/** What a list of connected apps can be asked. */
export const ConnectedAppQuery = Type.Object({ ...PageQuery })

/** The app that is meant. */
export const ConnectedAppRef = Type.Object({ app_id: Id('app') })
