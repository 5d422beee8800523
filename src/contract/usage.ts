import { hook } from './hook.ts'

/** What one area has to count in a school, by name. */
export type AreaUsage = { readonly area: string; readonly counts: Readonly<Record<string, number>> }

/** How much there is of what an area keeps; asked by the school, answered by later rooms. */
export const usage = hook<undefined, AreaUsage>('usage')
