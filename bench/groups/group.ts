import type { Comparison } from '../measure.ts'

/** Comparisons that share their servers and their data. */
export type Group = { readonly comparisons: readonly Comparison[]; stop(): Promise<void> }
