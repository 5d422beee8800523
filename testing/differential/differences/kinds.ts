import type { Difference } from '../case.ts'

type Facets = Difference['facets']

/** Stoa refuses with this error by redirect, the judge goes on. */
export const refused = (error: string): Facets => ({ error: [error, 'none'] })

/** Stoa goes on, the judge refuses with this error by redirect. */
export const taken = (error: string): Facets => ({ error: ['none', error] })

/** Both refuse, with another error. */
export const named = (stoa: string, judge: string): Facets => ({ error: [stoa, judge] })

/** A status for each. */
export const status = (stoa: string, judge: string): Facets => ({ status: [stoa, judge] })

/** A member that only Stoa tells. */
export const ours = (name: string, value: string): Facets => ({ [`member ${name}`]: [value, 'absent'] })

/** A member that only the judge tells. */
export const theirs = (name: string, value: string): Facets => ({ [`member ${name}`]: ['absent', value] })

/** The same facets within a step of a case. */
export const within = (step: string, facets: Facets): Facets =>
  Object.fromEntries(Object.entries(facets).map(([name, pair]) => [`${step}: ${name}`, pair]))
