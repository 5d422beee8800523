import type { ByteRange } from '#src/contract/store.ts'
import { hmac, sameBytes } from '#src/kit/crypto.ts'
import { isInlineType } from '#src/kit/media-types.ts'
import { cleanText } from '#src/kit/text.ts'

const HOUR = 3600

/** The purpose of the key that links to files are signed with. */
export const LINKS = 'files'

/** Who is given a link to which file until when, in seconds since 1970. */
export type Link = {
  readonly schoolId: string
  readonly fileId: string
  readonly member: string
  readonly expires: number
}

/** When a link that is given out now ends: in one to two hours, on the hour, so that it is the same all the hour. */
export const computeExpiry = (now: Date): number => Math.ceil((now.getTime() / 1000 + HOUR) / HOUR) * HOUR

const computeMac = (key: Buffer, { schoolId, fileId, member, expires }: Link): Buffer =>
  hmac(key, ['GET', schoolId, fileId, member, String(expires)].join('\n'))

/** The name of a file in its address, which is another one for other bytes, so that nobody is shown those kept before. */
export const nameInAddress = ({
  filename,
  version,
}: {
  readonly filename: string
  readonly version: number
}): string => (version === 1 ? filename : `${version}-${filename}`)

/** The query of a link. */
export const signLink = (key: Buffer, link: Link): string =>
  new URLSearchParams({
    member: link.member,
    expires: String(link.expires),
    signature: computeMac(key, link).toString('base64url'),
  }).toString()

/** Whether a link was signed by us, whoever follows it. */
export const isSigned = (key: Buffer, link: Link, signature: string): boolean =>
  /^[\w-]{43}$/.test(signature) && sameBytes(computeMac(key, link), Buffer.from(signature, 'base64url'))

// RFC 8187 §3.2.1: attr-char; encodeURIComponent leaves ' ( ) * as they are.
const extended = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, mark => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)

// Marks are removed, so that a letter remains of one that has some.
const plain = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\w .()-]/g, '_')

/** Content-Disposition of a file (RFC 6266): what no browser may show is handed over. */
export const formatDisposition = (filename: string, contentType: string): string => {
  const name = cleanText(filename)
  return `${isInlineType(contentType) ? 'inline' : 'attachment'}; filename="${plain(name)}"; filename*=UTF-8''${extended(name)}`
}

/** What Range asks for (RFC 9110 §14): a range that is ignored, one range, or one that is not within the file. */
export const parseByteRange = (range: string | undefined, size: number): ByteRange | 'all' | 'outside' => {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range ?? '') ?? []
  if (first === '' && last === '') return 'all'
  if (first === '')
    return last === '0'.repeat(last.length) ? 'outside' : { start: Math.max(0, size - Number(last)), end: size - 1 }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return 'all'
  return start >= size ? 'outside' : { start, end }
}
