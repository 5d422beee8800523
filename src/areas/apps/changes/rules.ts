import { factTypes } from '#src/contract/fact-types.ts'
import { problem } from '#src/contract/problem.ts'

/** The position belongs to facts that are not in the feed any more. */
export const positionExpired = problem(
  410,
  'position_expired',
  'The position in the feed has ended',
  'The position is from before a restore, or from before the feed began, so what came after it is not known. List the resources that you keep with their own `after=0`, and go on in the feed from `after=now`.',
)

/** The types in the feed, each with the scope that it needs. */
const feedTypes: readonly (readonly [type: string, scope: string])[] = Object.entries(factTypes).flatMap(
  ([type, { scope }]) => (scope === 'internal' ? [] : [[type, scope] as const]),
)

const isNamedBy = (entry: string, type: string): boolean =>
  entry === '*' || entry === type || (entry.endsWith('.*') && type.startsWith(entry.slice(0, -1)))

/** What a request for facts names: an entry that is no type, scopes that it needs, and the types that it gets. */
type NamedTypes = {
  readonly unknown: string | undefined
  readonly needed: readonly { readonly scope: string; readonly entry: string }[]
  readonly types: readonly string[]
}

/** The types that entries name, for a caller with these scopes; without entries all that the scopes allow. */
export const resolveTypes = (entries: readonly string[] | undefined, scopes: ReadonlySet<string>): NamedTypes => {
  const named = entries ?? ['*']
  const unknown = named.find(entry => !feedTypes.some(([type]) => isNamedBy(entry, type)))
  const needed = named
    .filter(entry => entry !== '*')
    .flatMap(entry => feedTypes.flatMap(([type, scope]) => (isNamedBy(entry, type) ? [{ scope, entry }] : [])))
  const types = feedTypes
    .filter(([type, scope]) => scopes.has(scope) && named.some(entry => isNamedBy(entry, type)))
    .map(([type]) => type)
  return { unknown, needed, types }
}
