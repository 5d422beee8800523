import type { Difference } from '../case.ts'

type Facets = Difference['facets']

/** Stoa refuses with this error by redirect, oidc-provider continues. */
export const refused = (error: string): Facets => ({ error: [error, 'none'] })

/** Stoa continues, oidc-provider refuses with this error by redirect. */
export const taken = (error: string): Facets => ({ error: ['none', error] })

/** Both refuse, with different errors. */
export const named = (stoa: string, reference: string): Facets => ({ error: [stoa, reference] })

/** The status of each server. */
export const status = (stoa: string, reference: string): Facets => ({ status: [stoa, reference] })

/** A member that only Stoa returns. */
export const ours = (name: string, value: string): Facets => ({ [`member ${name}`]: [value, 'absent'] })

/** A member that only oidc-provider returns. */
export const theirs = (name: string, value: string): Facets => ({ [`member ${name}`]: ['absent', value] })

/** The same facets within a step of a case. */
export const within = (step: string, facets: Facets): Facets =>
  Object.fromEntries(Object.entries(facets).map(([name, pair]) => [`${step}: ${name}`, pair]))
