import { isIP } from 'node:net'
import { factTypes } from '#src/contract/fact-types.ts'
import type { FactScope } from '#src/contract/facts/declaration.ts'
import { type FieldError, problem } from '#src/contract/problem.ts'
import { isOnLoopback, type School } from '#src/contract/school.ts'

/** How many webhooks a school has at most, and a member through one app. */
export const MAX_WEBHOOKS = { school: 20, app: 5 } as const

/** A school, or a member through an app, has as many webhooks as it can have. */
export const tooManyWebhooks = problem(
  409,
  'too_many_webhooks',
  'There is the maximum number of webhooks',
  'A school has at most 20 webhooks, and an app at most 5 for each person who connected it. Change one that exists, or delete one.',
)

/** For how long the previous secret signs too after a rotation, in milliseconds. */
export const ROTATION_MS = 24 * 3600 * 1000

const NOT_SENT = 'webhook.'

/** The types that webhooks can be sent, with the scope that each needs; none that reports on webhooks themselves. */
export const sentTypes: ReadonlyMap<string, Exclude<FactScope, 'internal'>> = new Map(
  Object.entries(factTypes).flatMap(([type, { scope }]) =>
    scope === 'internal' || type.startsWith(NOT_SENT) ? [] : [[type, scope] as const],
  ),
)

/** The types that an entry of `types` names: itself, those of a resource, or all. */
const expandType = (entry: string): readonly string[] => {
  const all = [...sentTypes.keys()]
  if (entry === '*') return all
  return entry.endsWith('.*')
    ? all.filter(type => type.startsWith(entry.slice(0, -1)))
    : all.filter(type => type === entry)
}

/** Whether a fact of a type is among those that a webhook names. */
export const isNamed = (types: readonly string[], type: string): boolean =>
  sentTypes.has(type) && types.some(entry => entry === '*' || entry === type || entry === `${type.split('.')[0]}.*`)

/** The entries that name no type that is sent. */
export const errorsOfTypes = (types: readonly string[]): FieldError[] =>
  types.flatMap((entry, index) =>
    expandType(entry).length > 0
      ? []
      : [
          {
            pointer: `/types/${index}`,
            code: 'unknown_type',
            message: 'is no type of fact that is sent; see /facts.json',
          },
        ],
  )

/** The scopes that an app needs for what it names, each with the first entry that needs it; `*` takes what there is. */
export const neededScopes = (types: readonly string[]): ReadonlyMap<string, string> => {
  const needed = new Map<string, string>()
  for (const entry of types.filter(one => one !== '*'))
    for (const type of expandType(entry)) {
      const scope = sentTypes.get(type)
      if (scope !== undefined && !needed.has(scope)) needed.set(scope, entry)
    }
  return needed
}

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
// The last label begins with a letter, so that no spelling of an IPv4 address is a name.
const NAME = new RegExp(`^(?=.{1,253}$)(?:${LABEL}\\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$`)
const UNREADABLE = /^[^:]*:(?!\/\/)|[\s\\\p{C}]/u
const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

const ownPorts = ({ baseUrl, siteOrigin, pagesHost }: School): string[] =>
  [baseUrl, siteOrigin, ...(pagesHost ? [`http://${pagesHost}`] : [])].map(address => new URL(address).port || '80')

/** Whether a school on this computer may send to an address on it, at another port than its own. */
export const isLocalReceiver = (school: Pick<School, 'baseUrl'>, url: URL): boolean =>
  isOnLoopback(school) && url.protocol === 'http:' && LOOPBACK.includes(url.hostname)

const describeError = (school: School, text: string): string | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  // The URL parser leaves some of these out, so that people would read another address than the one that is used.
  if (url === undefined || UNREADABLE.test(text)) return 'is not an address'
  if (url.username !== '' || url.password !== '') return 'has a user name or a password'
  if (text.includes('#')) return 'has a fragment'
  if (isLocalReceiver(school, url))
    return ownPorts(school).includes(url.port || '80') ? 'is an address of this school' : undefined
  if (url.protocol !== 'https:') return 'does not begin with https'
  if (url.port !== '' && Number(url.port) < 1024) return 'has another port than 443 and those from 1024'
  if (isIP(url.hostname) !== 0 || !NAME.test(url.hostname)) return 'does not have the full name of a host'
  return undefined
}

/** Why facts cannot be sent to an address; empty when they can, unless its host is one of this installation. */
export const errorsOfUrl = (school: School, text: string): FieldError[] => {
  const message = describeError(school, text)
  return message === undefined ? [] : [{ pointer: '/url', code: 'address', message }]
}

/** The refusal of a host of this installation. */
export const ownHostError: FieldError = { pointer: '/url', code: 'address', message: 'is a host of this installation' }
