import { hmac, purposeKey } from '#src/kit/crypto.ts'

/** The CSRF token of a form, bound to the session or browser to which its page was shown. */
export const formTokenFor = (secret: string, schoolId: string, audience: readonly string[]): string =>
  hmac(purposeKey(secret, 'csrf'), [schoolId, ...audience].join('\n')).toString('base64url')
