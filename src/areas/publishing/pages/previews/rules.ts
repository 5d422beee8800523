import { hmac, sameBytes } from '#src/kit/crypto.ts'

/** The purpose of the key that previews are signed with. */
export const PREVIEWS = 'page-previews'

const HOUR = 3600

/** When a preview that begins now ends, in seconds since 1970. */
export const computeExpiry = (now: Date): number => Math.floor(now.getTime() / 1000) + HOUR

const computeMac = (key: Buffer, parts: readonly string[]): string =>
  hmac(key, ['page', ...parts].join('\n')).toString('base64url')

/** The token in the address of a preview of one page of a school. */
export const previewToken = (key: Buffer, schoolId: string, pageId: string, expires: number): string =>
  `${expires}-${computeMac(key, [schoolId, pageId, String(expires)])}`

/** Whether a token is one of ours for this page that has not expired. */
export const isPreviewToken = (
  key: Buffer,
  {
    schoolId,
    pageId,
    token,
    now,
  }: { readonly schoolId: string; readonly pageId: string; readonly token: string; readonly now: Date },
): boolean => {
  const [, expires = '', mac = ''] = /^(\d{1,12})-([\w-]{43})$/.exec(token) ?? []
  if (expires === '' || Number(expires) * 1000 <= now.getTime()) return false
  return sameBytes(Buffer.from(computeMac(key, [schoolId, pageId, expires])), Buffer.from(mac))
}
