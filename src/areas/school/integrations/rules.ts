import { fillEach, type Phrase } from '#src/contract/language.ts'
import type { OAuthError } from '#src/contract/oauth-error.ts'
import { type FieldError, problem } from '#src/contract/problem.ts'
import { texts } from '#src/texts/index.ts'

/** Two secrets of an app are valid already. */
export const twoSecrets = problem(
  409,
  'two_secrets',
  'Two secrets are valid already',
  'The secret was changed less than a day ago, and the previous one is still valid, so that the app can be switched over. Change it again after that day, or end both at once if one has leaked.',
)

/** The error of a value that the authorization server refuses. */
export const errorOfClient = ({ code, message }: Pick<OAuthError, 'code' | 'message'>): FieldError => {
  if (code === 'invalid_redirect_uri') return { pointer: '/redirect_uris', code: 'redirect_uri', message }
  const pointer = /\bscope\b/.test(message) ? '/scopes' : /callback/.test(message) ? '/redirect_uris' : '/name'
  return { pointer, code: 'invalid', message }
}

/** What removing an app means, in words. */
export const removalEffect = (ended: number): Phrase => fillEach(texts.school.integrations.rules.removed, { n: ended })
