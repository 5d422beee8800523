import { type OAuthCode, oauthErrors } from '#src/contract/oauth-error.ts'
import type { Problem } from '#src/contract/problem.ts'
import { rateLimited, roleRequired } from '#src/contract/problems.ts'
import type { Scope, Scopes } from '../scopes.ts'

const BY_REDIRECT = 'by redirect'
const ANYWHERE = 'any OAuth endpoint'

// Where each code occurs; those of endpoints that do not exist yet are left out.
const occurrences: Partial<Record<OAuthCode, string>> = {
  invalid_redirect_uri: 'registration, authorization page',
  invalid_client_metadata: 'registration',
  invalid_request: `${ANYWHERE}, ${BY_REDIRECT}, API`,
  invalid_scope: `${BY_REDIRECT}, token`,
  invalid_target: `${BY_REDIRECT}, token`,
  unsupported_response_type: BY_REDIRECT,
  request_not_supported: BY_REDIRECT,
  request_uri_not_supported: BY_REDIRECT,
  access_denied: BY_REDIRECT,
  login_required: BY_REDIRECT,
  consent_required: BY_REDIRECT,
  invalid_client: 'authorization page (400), token, revocation, introspection',
  invalid_grant: 'token',
  unauthorized_client: 'token',
  unsupported_grant_type: 'token',
  invalid_token: 'API, userinfo',
  insufficient_scope: 'API, userinfo',
  sign_in_required: 'API, userinfo',
  server_error: ANYWHERE,
  temporarily_unavailable: `${ANYWHERE} (429 where a limit is used up)`,
}

const ofApi: readonly Problem[] = [roleRequired, rateLimited]

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n')

const buildRow = ({ name, sentence, offeredTo, isAvailable }: Scope): string[] => [
  `\`${name}\``,
  isAvailable ? sentence.en : `${sentence.en} (not available yet)`,
  offeredTo,
]

/** Every scope with its sentence and the lowest role it is offered to, as a table. */
export const scopeTable = (scopes: Scopes): string =>
  table(['scope', 'lets the app', 'offered to'], [...scopes.values()].map(buildRow))

const errorRows = (baseUrl: string): string[][] => {
  const link = (code: string): string => `[\`${code}\`](${baseUrl}/problems/${code})`
  const codes = Object.keys(occurrences) as OAuthCode[]
  return [
    ...codes.map(code => {
      const [status, explanation] = oauthErrors[code]
      const where = occurrences[code] ?? ''
      return [link(code), where === BY_REDIRECT ? '' : String(status), where, explanation]
    }),
    ...ofApi.map(({ code, status, explanation }) => [link(code), String(status), 'API', explanation]),
  ]
}

/** Every error code with where it occurs and what to do about it, as a table. */
export const errorTable = (baseUrl: string): string =>
  table(['code', 'status', 'where', 'what it means and what to do'], errorRows(baseUrl))

/** A number of seconds in words, in the largest unit that fits. */
export const lifetimeInWords = (seconds: number): string => {
  const units = [
    ['day', 24 * 3600],
    ['hour', 3600],
    ['minute', 60],
  ] as const
  const [unit, length] = units.find(([, length]) => seconds % length === 0) ?? ['second', 1]
  const count = seconds / length
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
