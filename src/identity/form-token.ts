import { hmac, purposeKey } from '#src/kit/crypto.ts'

/** The token by which a form shows that a page of ours sent it, and to whom that page was shown. */
export const formTokenFor = (secret: string, schoolId: string, shownTo: readonly string[]): string =>
  hmac(purposeKey(secret, 'csrf'), [schoolId, ...shownTo].join('\n')).toString('base64url')
