import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

/** The source of random bytes; an argument, so that tests are repeatable. */
export type Random = (size: number) => Buffer

/** The system's random bytes. */
export const systemRandom: Random = size => randomBytes(size)

/** SHA-256 of text or bytes, 32 bytes. */
export const sha256 = (data: string | Uint8Array): Buffer => hash('sha256', data, 'buffer')

/** HMAC-SHA-256, 32 bytes. */
export const hmac = (key: string | Uint8Array, data: string | Uint8Array): Buffer =>
  createHmac('sha256', key).update(data).digest()

/** Compares two byte strings in constant time. */
export const sameBytes = (left: Uint8Array, right: Uint8Array): boolean =>
  left.length === right.length && timingSafeEqual(left, right)

/** A key of 32 bytes for one purpose, derived from the installation's secret (HKDF, RFC 5869). */
export const purposeKey = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `stoa:${purpose}`, 32))

/** Encrypts with AES-256-GCM; unsealing needs the same `context`. Layout: version, nonce, tag, ciphertext. */
export const seal = (key: Buffer, plain: string, context: string, random: Random = systemRandom): Buffer => {
  const nonce = random(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.from([1]), nonce, cipher.getAuthTag(), body])
}

/** Decrypts the result of `seal`; throws when key, context or bytes differ. */
export const unseal = (key: Buffer, sealed: Buffer, context: string): string => {
  if (sealed[0] !== 1) throw new Error('unknown format of a sealed value')
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 13)).setAAD(Buffer.from(context))
  decipher.setAuthTag(sealed.subarray(13, 29))
  return decipher.update(sealed.subarray(29), undefined, 'utf8') + decipher.final('utf8')
}

/** Whether `unseal` would succeed. */
export const opens = (key: Buffer, sealed: Buffer, context: string): boolean => {
  try {
    unseal(key, sealed, context)
    return true
  } catch {
    return false
  }
}
