import type { Observed } from './observe.ts'
import type { Side } from './side.ts'

/** One request, or several that belong together, sent to both servers. */
export type Case = { readonly name: string; run(side: Side): Promise<Observed> }

/** A facet in which the replies of the two servers differ. */
export type Disagreement = {
  readonly name: string
  readonly facet: string
  readonly stoa: string
  readonly reference: string
}

/** A known difference: the cases it applies to, the reply of each server, and the clause that explains it. */
export type Difference = {
  readonly of: RegExp
  readonly facets: Readonly<Record<string, readonly [stoa: string, reference: string]>>
  readonly because: string
}

// The name of the step a facet belongs to, with its colon; empty where there is one step.
const parseStep = (facet: string): string => facet.slice(0, facet.lastIndexOf(': ') + 1)

const isRefusal = (observed: Observed, of: string): boolean =>
  (observed[of === '' ? 'error' : `${of} error`] ?? 'none') !== 'none'

// A success and a refusal differ in everything; only the outcome and where each one went are compared.
const counts = (facet: string, stoa: Observed, reference: Observed): boolean =>
  isRefusal(stoa, parseStep(facet)) === isRefusal(reference, parseStep(facet)) ||
  /(?:^|: )(?:status|error|end)$/.test(facet)

/** Returns the facets in which two observations of a case differ; a facet that one of them lacks is `absent`. */
export const compare = (name: string, stoa: Observed, reference: Observed): Disagreement[] =>
  [...new Set([...Object.keys(stoa), ...Object.keys(reference)])]
    .filter(facet => counts(facet, stoa, reference))
    .map(facet => ({ name, facet, stoa: stoa[facet] ?? 'absent', reference: reference[facet] ?? 'absent' }))
    .filter(one => one.stoa !== one.reference)

/** Tells whether a known difference explains a disagreement. */
export const explains = ({ of, facets }: Difference, { name, facet, stoa, reference }: Disagreement): boolean => {
  const pair = Object.hasOwn(facets, facet) ? facets[facet] : undefined
  return of.test(name) && pair?.[0] === stoa && pair[1] === reference
}
