import { appendFile, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Failure } from './execute.ts'

const MAX_FLAKY = 3
const SEED = process.env.STOA_TEST_SEED ?? '20261121'
const LOG = 'test-results/flaky.jsonl'

/** The failures of a run, and the files that failed again when they ran once more, alone. */
export type Rerun = { readonly failures: readonly Failure[]; readonly failedAgain: ReadonlySet<string> }

const listFlaky = ({ failures, failedAgain }: Rerun): Failure[] =>
  failures.filter(({ files }) => !files.some(file => failedAgain.has(file)))

/** Tells whether the run passed: nothing failed twice, and no more tests are flaky than allowed. */
export const isAcceptable = (rerun: Rerun): boolean =>
  rerun.failedAgain.size === 0 && listFlaky(rerun).length <= MAX_FLAKY

/** Tells whether a second run can change the result: more failures than may be flaky fail the run in any case. */
export const isWorthRepeating = (failures: readonly Failure[]): boolean => failures.length <= MAX_FLAKY

const indented = (text: string): string => text.replaceAll(/^/gm, '    ')

/** Returns what is printed at the end of a run with failures. */
export const formatSummary = (rerun: Rerun): string => {
  const flaky = listFlaky(rerun).map(
    ({ files, error }) => `FLAKY ${files.join(' ')} (seed ${SEED}) failed, then passed alone:\n${indented(error)}`,
  )
  const failed = [...rerun.failedAgain].map(file => `FAILED ${file}`)
  const counts = `${failed.length} failed, ${flaky.length} flaky (at most ${MAX_FLAKY} may be flaky)`
  return [...flaky, ...failed, counts].join('\n')
}

/** Appends the flaky failures of a run to `test-results/flaky.jsonl`, one line of JSON each. */
export const recordFlaky = async (rerun: Rerun): Promise<void> => {
  const at = new Date().toISOString()
  const lines = listFlaky(rerun).map(({ files, error }) => JSON.stringify({ at, files, seed: SEED, error }))
  if (lines.length === 0) return
  await mkdir(dirname(LOG), { recursive: true })
  await appendFile(LOG, `${lines.join('\n')}\n`)
}
