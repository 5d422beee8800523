import { hmac, type Random, sameBytes } from '#src/kit/crypto.ts'

/** The purpose of the key that tokens of forms are signed with. */
export const FORM_TOKENS = 'forms of the site'

/** How long a person takes at least to answer a form, in milliseconds. */
export const LEAST_MS = 2000

type Place = { readonly key: Buffer; readonly schoolId: string; readonly formId: string }

const FORMAT = /^([0-9a-z]{6,12})\.([\w-]{22})\.([\w-]{43})$/

const computeMac = ({ key, schoolId, formId }: Place, issued: string, random: string): Buffer =>
  hmac(key, ['form', schoolId, formId, issued, random].join('\n'))

/** A token for one submission of a form, which says when it was issued. */
export const issueToken = (context: Place, now: Date, random: Random): string => {
  const issued = now.getTime().toString(36)
  const chance = random(16).toString('base64url')
  return `${issued}.${chance}.${computeMac(context, issued, chance).toString('base64url')}`
}

/** When a token was issued; undefined for what is no token of this form. */
export const issuedAt = (context: Place, token: string): Date | undefined => {
  const [, issued = '', chance = '', mac = ''] = FORMAT.exec(token) ?? []
  if (issued === '' || !sameBytes(computeMac(context, issued, chance), Buffer.from(mac, 'base64url'))) return undefined
  return new Date(Number.parseInt(issued, 36))
}
