import type { Comparison } from '../measure.ts'
import type { RivalStart } from '../rival-start.ts'

/** Comparisons that share their servers and their data. */
export type Group = {
  readonly comparisons: readonly Comparison[]
  /** Where the rival is a program to install: what its start costs beside that of Stoa. */
  starts?(rounds: number): Promise<RivalStart>
  stop(): Promise<void>
}
