import { hook } from './hook.ts'

/** The counts of one area in a school, by name. */
type AreaUsage = { readonly area: string; readonly counts: Readonly<Record<string, number>> }

/** Called by the area `school` for the counts of every later area. */
export const usage = hook<undefined, AreaUsage>('usage')
