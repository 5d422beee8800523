import type { PageParts } from './context.ts'
import type { Audience } from './declare.ts'
import { requireRecentPerson } from './request.ts'

/** Whoever is signed in. */
export const signedIn: Audience<PageParts, object> = { admit: async () => ({}) }

/** Whoever signed in recently. */
export const recentlySignedIn: Audience<PageParts, object> = { ...signedIn, find: requireRecentPerson }
