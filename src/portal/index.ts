import type { Endpoint } from '#src/contract/endpoint.ts'
import { accountEndpoints } from './account.ts'
import { appsEndpoints } from './apps.ts'
import { confirmationEndpoints } from './confirmations.ts'
import { emailEndpoints } from './email.ts'
import type { PortalParts } from './parts.ts'
import { passwordEndpoints } from './password.ts'
import { profileEndpoints } from './profile.ts'
import { resetEndpoints } from './reset.ts'
import { sessionsEndpoints } from './sessions.ts'
import { signInEndpoints } from './sign-in.ts'
import { signOutEndpoints } from './sign-out.ts'

export type { PortalParts } from './parts.ts'

/** The pages of an account, for who is signed in outside an authorization. */
export const createPortal = (parts: PortalParts): Endpoint[] => [
  ...signInEndpoints(parts),
  ...signOutEndpoints(parts),
  ...resetEndpoints(parts),
  ...accountEndpoints(parts),
  ...confirmationEndpoints(parts),
  ...appsEndpoints(parts),
  ...sessionsEndpoints(parts),
  ...profileEndpoints(parts),
  ...emailEndpoints(parts),
  ...passwordEndpoints(parts),
]
