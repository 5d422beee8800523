import type { PageParts } from './context.ts'
import type { Audience } from './declare.ts'

/** Whoever is signed in. */
export const signedIn: Audience<PageParts, object> = { admit: async () => ({}) }

/** Whoever is signed in and proved recently who they are. */
export const recentlySignedIn: Audience<PageParts, object> = { ...signedIn, proof: 'recent' }
