import Type from 'typebox'
import { Instant, Line, Nullable } from '#src/kit/shapes.ts'

const closed = { additionalProperties: false } as const

const Uri = Type.String({ minLength: 1, maxLength: 255, description: 'An address that the app gets its codes at' })
const ScopeName = Type.String({ minLength: 1, maxLength: 64 })

const settings = {
  name: Line(64, 'What people see on the consent page, as verified by the school'),
  redirect_uris: Type.Array(Uri, { maxItems: 10 }),
  scopes: Type.Array(ScopeName, { maxItems: 50, description: 'What it may request at most; empty for everything' }),
}

/** An app that the school registered itself. */
export const Integration = Type.Object(
  {
    client_id: Type.String(),
    ...settings,
    is_confidential: Type.Boolean({ description: 'Whether it has a secret' }),
    active_secrets: Type.Integer({ minimum: 0, description: 'Two for a day after a rotation' }),
    registered_at: Instant,
    removed_at: Nullable(Instant),
  },
  { ...closed, title: 'Integration' },
)

/** Every app that the school registered itself, removed ones too. */
export const Integrations = Type.Object({ data: Type.Array(Integration) }, { ...closed, title: 'Integrations' })

/** A new app. */
export const NewIntegration = Type.Object(
  { ...settings, is_confidential: Integration.properties.is_confidential },
  { ...closed, title: 'NewIntegration' },
)

/** The settings of an app, all of them. */
export const IntegrationSettings = Type.Object(settings, { ...closed, title: 'IntegrationSettings' })

/** An app with its secret, which is shown this once. */
export const IntegrationSecret = Type.Object(
  {
    client_id: Type.String(),
    client_secret: Nullable(Type.String({ description: 'Null for an app without a secret' })),
    previous_secret_expires_at: Nullable(Instant),
  },
  { ...closed, title: 'IntegrationSecret' },
)

/** Whether the secrets in use end at once, as after a leak. */
export const Rotation = Type.Object({ at_once: Type.Boolean() }, { ...closed, title: 'SecretRotation' })

/** The app in a path. */
export const IntegrationRef = Type.Object({ client_id: Type.String({ minLength: 1, maxLength: 2048 }) })
