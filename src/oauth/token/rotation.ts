import { hmac, type Random } from '#src/kit/crypto.ts'
import { type RefreshToken, refreshSecret, tokenOf, writeRefreshToken } from '#src/kit/token.ts'
import type { Client } from '../clients/queries.ts'

/** What a refresh gives out, made from the secret presented and the salt of its rotation alone. */
export type Rotation = { readonly secret: string; readonly refreshToken: string; readonly accessToken: string }

/** What of a client decides whether its refresh tokens rotate. */
export type Rotating = Pick<Client, 'auth_method' | 'is_arranged'>

/**
 * Whether a client's refresh tokens are new each time they are used; the one place that decides it. Those of a client that
 * the school arranged and that has a secret are worth nothing without it (RFC 9700 §2.2.2).
 */
export const rotates = (client: Rotating): boolean => !client.is_arranged || client.auth_method === 'none'

/** A salt for one rotation. */
export const newSalt = (random: Random): Buffer => random(32)

const derive = (secret: string, salt: Buffer, what: 'rt' | 'at'): Buffer =>
  hmac(secret, Buffer.concat([salt, Buffer.from(what)]))

/** The tokens that follow a presented one under a salt; whoever holds both can make them again, nobody else can. */
export const rotationOf = ({ handle, secret }: RefreshToken, salt: Buffer): Rotation => {
  const successor = refreshSecret(derive(secret, salt, 'rt'))
  return {
    secret: successor,
    refreshToken: writeRefreshToken({ handle, secret: successor }),
    accessToken: tokenOf('stoa_at_', derive(secret, salt, 'at')),
  }
}
