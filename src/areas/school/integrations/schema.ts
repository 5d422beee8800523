import Type from 'typebox'
import { Closed, Instant, Line, Nullable } from '#src/kit/shapes.ts'

const Uri = Type.String({ minLength: 1, maxLength: 255, description: 'An address that the app gets its codes at' })
const ScopeName = Type.String({ minLength: 1, maxLength: 64 })

const settings = {
  name: Line(64, 'What people see on the consent page, as verified by the school'),
  redirect_uris: Type.Array(Uri, { maxItems: 10 }),
  scopes: Type.Array(ScopeName, { maxItems: 50, description: 'What it may request at most; empty for everything' }),
}

/** An app that the school registered itself. */
export const Integration = Closed('Integration', {
  client_id: Type.String(),
  ...settings,
  is_confidential: Type.Boolean({ description: 'Whether it has a secret' }),
  active_secrets: Type.Integer({ minimum: 0, description: 'Two for a day after a rotation' }),
  registered_at: Instant,
  removed_at: Nullable(Instant),
})

/** Every app that the school registered itself, removed ones too. */
export const Integrations = Closed('Integrations', { data: Type.Array(Integration) })

/** A new app. */
export const NewIntegration = Closed('NewIntegration', {
  ...settings,
  is_confidential: Integration.properties.is_confidential,
})

/** The settings of an app, all of them. */
export const IntegrationSettings = Closed('IntegrationSettings', settings)

/** An app with its secret, which is shown this once. */
export const IntegrationSecret = Closed('IntegrationSecret', {
  client_id: Type.String(),
  client_secret: Nullable(Type.String({ description: 'Null for an app without a secret' })),
  previous_secret_expires_at: Nullable(Instant),
})

/** Whether the secrets in use end at once, as after a leak. */
export const Rotation = Closed('SecretRotation', { at_once: Type.Boolean() })

/** The app in a path. */
export const IntegrationRef = Type.Object({ client_id: Type.String({ minLength: 1, maxLength: 2048 }) })
