import { type Area, routedOperations } from '#src/contract/area.ts'
import { isAtLeast, type Role } from '#src/contract/caller.ts'
import type { Phrase } from '#src/contract/language.ts'
import { scopeSections } from '#src/contract/scopes.ts'
import { texts } from '#src/texts/index.ts'

/** A scope of the server. */
export type Scope = {
  readonly name: string
  readonly sentence: Phrase
  readonly offeredTo: Role
  /** Whether an operation requires it yet; if not, it is shown but never granted. */
  readonly isAvailable: boolean
}

/** Every advertised scope by name, in the order it is advertised. */
export type Scopes = ReadonlyMap<string, Scope>

const IDENTITY = (['openid', 'profile', 'email'] as const).map(
  (name): Scope => ({ name, sentence: texts.oauth.scopes[name], offeredTo: 'member', isAvailable: true }),
)

// Scopes that a client may request and that are not permissions: OpenID Connect Core §11.
const ACCEPTED = ['offline_access']

/** The scopes of identity, followed by those of the API; a scope that no operation requires is not available. */
export const buildScopes = (areas: readonly Area[]): Scopes => {
  const guarded = new Set(routedOperations(areas).map(({ scope }) => scope))
  const declared = scopeSections.flatMap(({ scopes }) =>
    Object.entries(scopes).map(([name, scope]) => ({ name, ...scope, isAvailable: guarded.has(name) })),
  )
  return new Map([...IDENTITY, ...declared].map(scope => [scope.name, scope]))
}

/** Splits a scope parameter; each name once, in the order sent. */
export const splitScope = (text: string): string[] => [...new Set(text.split(' ').filter(name => name !== ''))]

/** Whether a scope may be requested. */
export const isKnownScope = (scopes: Scopes, name: string): boolean => scopes.has(name) || ACCEPTED.includes(name)

/** Whether scopes request anything: a sign-in or a permission. */
export const requestsAccess = (names: readonly string[]): boolean => names.some(name => !ACCEPTED.includes(name))

/** Whether a scope is a permission with its own check box, and not part of signing in. */
export const hasBox = (name: string): boolean => name !== 'openid' && !ACCEPTED.includes(name)

/** Whether a scope lets an app change something. */
export const isWriting = (name: string): boolean => name.endsWith(':write')

/** How the consent page shows a requested scope to a person of this role. */
export const chooseOffer = (scope: Scope, role: Role): 'offered' | 'not_available' | 'not_for_role' => {
  if (!scope.isAvailable) return 'not_available'
  return isAtLeast(role, scope.offeredTo) ? 'offered' : 'not_for_role'
}
