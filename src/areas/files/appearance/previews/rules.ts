import { hmac, sameBytes } from '#src/kit/crypto.ts'

/** The purpose of the key that previews are signed with. */
export const PREVIEWS = 'appearance-previews'

const HOUR = 3600

/** When a preview that begins now ends, in seconds since 1970. */
export const computeExpiry = (now: Date): number => Math.floor(now.getTime() / 1000) + HOUR

const computeMac = (key: Buffer, schoolId: string, expires: number): string =>
  hmac(key, ['appearance', schoolId, String(expires)].join('\n')).toString('base64url')

/** The token in the address of a preview. */
export const previewToken = (key: Buffer, schoolId: string, expires: number): string =>
  `${expires}-${computeMac(key, schoolId, expires)}`

/** Whether a token is one of ours for this school that has not expired. */
export const isPreviewToken = (key: Buffer, schoolId: string, token: string, now: Date): boolean => {
  const [, expires = '', mac = ''] = /^(\d{1,12})-([\w-]{43})$/.exec(token) ?? []
  if (expires === '' || Number(expires) * 1000 <= now.getTime()) return false
  return sameBytes(Buffer.from(computeMac(key, schoolId, Number(expires))), Buffer.from(mac))
}
