import { hmac, purposeKey, sameBytes } from '#src/kit/crypto.ts'

/** What a link to turn off mails is for: a member of a school, and the kind of the mail that it was sent with. */
type Unsubscribe = { readonly memberId: string; readonly kind: string }

const MAC_BYTES = 16
const ID_BYTES = 16

const computeMac = (secret: string, schoolId: string, { memberId, kind }: Unsubscribe): Buffer =>
  hmac(purposeKey(secret, 'unsubscribe'), [schoolId, memberId, kind].join('\n')).subarray(0, MAC_BYTES)

/** The signed token for such a link. It has no end, since a mail may be read years later, and names no address. */
export const unsubscribeToken = (secret: string, schoolId: string, of: Unsubscribe): string => {
  const member = Buffer.from(of.memberId.replaceAll('-', ''), 'hex')
  return Buffer.concat([computeMac(secret, schoolId, of), member, Buffer.from(of.kind)]).toString('base64url')
}

const formatUuid = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** Reads a token of this school; undefined for any other text. */
export const readUnsubscribeToken = (secret: string, schoolId: string, token: string): Unsubscribe | undefined => {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length <= MAC_BYTES + ID_BYTES) return undefined
  const memberId = formatUuid(bytes.subarray(MAC_BYTES, MAC_BYTES + ID_BYTES))
  const of = { memberId, kind: bytes.subarray(MAC_BYTES + ID_BYTES).toString() }
  return sameBytes(bytes.subarray(0, MAC_BYTES), computeMac(secret, schoolId, of)) ? of : undefined
}
