import type { Difference } from './case.ts'
import { authorizationDifferences } from './differences/authorization.ts'
import { discoveryDifferences } from './differences/discovery.ts'
import { registrationDifferences } from './differences/registration.ts'
import { revocationDifferences } from './differences/revocation.ts'
import { tokenDifferences } from './differences/token.ts'

/** Every known difference between Stoa and oidc-provider, with the clause that explains it. */
export const differences: readonly Difference[] = [
  ...discoveryDifferences,
  ...registrationDifferences,
  ...authorizationDifferences,
  ...tokenDifferences,
  ...revocationDifferences,
]
