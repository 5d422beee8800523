import { crc32 } from 'node:zlib'
import { base62 } from './base.ts'
import type { Random } from './crypto.ts'

/** The kinds of secrets Stoa hands out, by the tag they begin with. */
export type TokenTag = 'stoa_ac_' | 'stoa_at_' | 'stoa_rt_' | 'stoa_cs_'

const checksum = (text: string): string => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(crc32(text))
  return base62(bytes, 6)
}

/** A token from 32 bytes: tag, 43 characters of base62, 6 characters of checksum over all before. */
export const tokenOf = (tag: TokenTag, secret: Uint8Array): string => {
  const text = `${tag}${base62(secret, 43)}`
  return text + checksum(text)
}

/** A new token of 256 random bits. */
export const newToken = (tag: TokenTag, random: Random): string => tokenOf(tag, random(32))

/** Whether text has the shape of a token of this kind, checksum included. */
export const isToken = (tag: TokenTag, text: string): boolean =>
  text.length === tag.length + 49 &&
  text.startsWith(tag) &&
  /^[0-9A-Za-z]+$/.test(text.slice(tag.length)) &&
  text.slice(-6) === checksum(text.slice(0, -6))

/** A secret as a log may show it: its tag and four characters. */
export const tokenForLog = (text: string): string => `${text.slice(0, 12)}…`
