import type { Role } from '#src/contract/caller.ts'
import { chooseOffer, hasBox, isWriting, type Scope, type Scopes } from '../scopes.ts'
import type { Decision } from './queries.ts'

/** How the consent page shows one requested scope. */
export type Offer = { readonly scope: Scope; readonly kind: ReturnType<typeof chooseOffer> }

/** How the requested scopes are offered to a person of this role; those without a check box are left out. */
export const offers = (scopes: Scopes, requested: readonly string[], role: Role): Offer[] =>
  requested.flatMap(name => {
    const scope = scopes.get(name)
    return scope === undefined || !hasBox(name) ? [] : [{ scope, kind: chooseOffer(scope, role) }]
  })

/**
 * The scopes that a decision grants: the selected ones that are offered, and those without a check box; an empty result
 * is a denial.
 */
export const grantedScopes = (
  offered: readonly Offer[],
  requested: readonly string[],
  decision: Decision,
  ticked: ReadonlySet<string>,
): string[] => {
  if (decision === 'deny') return []
  const boxes = offered.filter(({ kind }) => kind === 'offered').map(({ scope }) => scope.name)
  const chosen = boxes.filter(name => ticked.has(name) && (decision === 'approve' || !isWriting(name)))
  if (chosen.length === 0 && boxes.length > 0) return []
  const silent = requested.filter(name => !hasBox(name))
  return chosen.length === 0 && !silent.includes('openid')
    ? []
    : requested.filter(name => chosen.includes(name) || silent.includes(name))
}
