import { hmac, type Random } from '#src/kit/crypto.ts'
import { encodeToken, type RefreshToken, refreshSecret, writeRefreshToken } from '#src/kit/token.ts'

/** The tokens of a refresh, derived from the presented secret and the salt of its rotation. */
type Rotation = { readonly secret: string; readonly refreshToken: string; readonly accessToken: string }

/** A salt for one rotation. */
export const newSalt = (random: Random): Buffer => random(32)

const derive = (secret: string, salt: Buffer, what: 'rt' | 'at'): Buffer =>
  hmac(secret, Buffer.concat([salt, Buffer.from(what)]))

/** The tokens that follow a presented one with a salt; they can only be derived from both. */
export const computeRotation = ({ handle, secret }: RefreshToken, salt: Buffer): Rotation => {
  const successor = refreshSecret(derive(secret, salt, 'rt'))
  return {
    secret: successor,
    refreshToken: writeRefreshToken({ handle, secret: successor }),
    accessToken: encodeToken('stoa_at_', derive(secret, salt, 'at')),
  }
}
