import { crc32 } from 'node:zlib'
import { base62 } from './base.ts'
import type { Random } from './crypto.ts'

/** The kinds of secrets that Stoa issues, by their prefix. */
export type TokenTag = 'stoa_ac_' | 'stoa_at_' | 'stoa_rt_' | 'stoa_cs_'

/**
 * The two parts of a refresh token: the handle stays the same for the family, the secret changes with each generation.
 */
export type RefreshToken = { readonly handle: string; readonly secret: string }

const SECRET = 43
const HANDLE = 22
const CHECKSUM = 6

const checksum = (text: string): string => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(crc32(text))
  return base62(bytes, CHECKSUM)
}

const sealed = (text: string): string => text + checksum(text)

const hasShape = (tag: TokenTag, text: string, characters: number): boolean =>
  text.length === tag.length + characters + CHECKSUM &&
  text.startsWith(tag) &&
  /^[0-9A-Za-z]+$/.test(text.slice(tag.length)) &&
  text.slice(-CHECKSUM) === checksum(text.slice(0, -CHECKSUM))

/** A token from 32 bytes: tag, 43 characters of base62, 6 characters of checksum over all before. */
export const encodeToken = (tag: TokenTag, secret: Uint8Array): string => sealed(`${tag}${base62(secret, SECRET)}`)

/** A new token of 256 random bits. */
export const newToken = (tag: TokenTag, random: Random): string => encodeToken(tag, random(32))

/** Whether text has the shape of a token of this kind with one secret, checksum included. */
export const isToken = (tag: Exclude<TokenTag, 'stoa_rt_'>, text: string): boolean => hasShape(tag, text, SECRET)

/** The secret part of a refresh token, from 32 bytes. */
export const refreshSecret = (bytes: Uint8Array): string => base62(bytes, SECRET)

/** The parts of a new refresh token: 128 random bits of handle and 256 of secret. */
export const newRefreshToken = (random: Random): RefreshToken => ({
  handle: base62(random(16), HANDLE),
  secret: refreshSecret(random(32)),
})

/** The text of a refresh token: tag, handle, secret, checksum. */
export const writeRefreshToken = ({ handle, secret }: RefreshToken): string => sealed(`stoa_rt_${handle}${secret}`)

/** Reads what `writeRefreshToken` wrote; undefined for any other text. */
export const readRefreshToken = (text: string): RefreshToken | undefined => {
  if (!hasShape('stoa_rt_', text, HANDLE + SECRET)) return undefined
  const body = text.slice('stoa_rt_'.length)
  return { handle: body.slice(0, HANDLE), secret: body.slice(HANDLE, HANDLE + SECRET) }
}
