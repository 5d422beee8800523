import { hmac, type Random } from '#src/kit/crypto.ts'
import { type RefreshToken, refreshSecret, tokenOf, writeRefreshToken } from '#src/kit/token.ts'
import type { Client } from '../clients/queries.ts'

/** The tokens of a refresh, derived from the presented secret and the salt of its rotation. */
type Rotation = { readonly secret: string; readonly refreshToken: string; readonly accessToken: string }

/** The fields of a client that decide whether its refresh tokens rotate. */
type Rotating = Pick<Client, 'auth_method' | 'is_pre_registered'>

/**
 * Whether a client's refresh tokens rotate with each use. Those of a client that
 * the school pre-registered and that has a secret are useless without it (RFC 9700 §2.2.2).
 */
export const rotates = (client: Rotating): boolean => !client.is_pre_registered || client.auth_method === 'none'

/** A salt for one rotation. */
export const newSalt = (random: Random): Buffer => random(32)

const derive = (secret: string, salt: Buffer, what: 'rt' | 'at'): Buffer =>
  hmac(secret, Buffer.concat([salt, Buffer.from(what)]))

/** The tokens that follow a presented one with a salt; they can only be derived from both. */
export const rotationOf = ({ handle, secret }: RefreshToken, salt: Buffer): Rotation => {
  const successor = refreshSecret(derive(secret, salt, 'rt'))
  return {
    secret: successor,
    refreshToken: writeRefreshToken({ handle, secret: successor }),
    accessToken: tokenOf('stoa_at_', derive(secret, salt, 'at')),
  }
}
