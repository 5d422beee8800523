import type { SchoolContext } from './context.ts'

/** An app that a school registered itself: people see it as verified by the school. */
export type RegisteredClient = {
  readonly id: string
  readonly name: string
  /** Null for the client of a metadata document of which every HTTPS callback is valid. */
  readonly redirectUris: readonly string[] | null
  readonly isConfidential: boolean
  /** The scopes that it may request at most; null for all. */
  readonly scopes: readonly string[] | null
  readonly activeSecrets: number
  readonly registeredAt: Date
  readonly removedAt: Date | null
}

/** The values with which a client is registered or changed; without scopes it may request all. */
type ClientPlan = {
  readonly name: string
  readonly redirectUris: readonly string[]
  readonly scopes: readonly string[]
}

/** The result of a rotation: the new secret and when the previous one ends, or why there is none. */
export type SecretRotation =
  | { readonly kind: 'rotated'; readonly secret: string; readonly previousEnds: Date }
  | { readonly kind: 'two_live'; readonly until: Date }
  | { readonly kind: 'no_secret' }

/**
 * The clients that a school registered itself, as the authorization server keeps them; every function runs in the
 * transaction of its caller. Values that are not valid are refused with an OAuthError.
 */
export type ClientRegistry = {
  list(context: SchoolContext): Promise<readonly RegisteredClient[]>
  /** Registers a client; a confidential one gets a secret, which is not stored and cannot be read again. */
  register(
    context: SchoolContext,
    plan: ClientPlan & { readonly isConfidential: boolean },
  ): Promise<{ id: string; secret: string | undefined }>
  /**
   * Changes a client that was not removed, and ends the grants that have more scopes than it may request from then on;
   * returns their number, undefined when there is no such client.
   */
  change(context: SchoolContext, id: string, plan: ClientPlan): Promise<number | undefined>
  rotateSecret(
    context: SchoolContext,
    id: string,
    options: { readonly atOnce: boolean; readonly now: Date },
  ): Promise<SecretRotation>
  /** Removes a client for good and ends its grants; returns their number, undefined when there is no such client. */
  remove(context: SchoolContext, id: string, now: Date): Promise<number | undefined>
}
