import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { TestProcess } from './files.ts'

const LOG = 'test-results/durations.json'
const MAX_LISTED = 20

/** What the runner reports when a test or a suite has ended. */
type Ended = {
  readonly name: string
  readonly nesting: number
  readonly details: { readonly duration_ms: number; readonly type?: string | undefined }
}

type Timed = { readonly name: string; readonly milliseconds: number }

/** How long files and tests took; a test is named with its file. */
export type Durations = { readonly files: readonly Timed[]; readonly tests: readonly Timed[] }

/** Collects the durations of a run: the runner reports one process after another, and a process one file after another. */
export const collectDurations = (processes: readonly TestProcess[]) => {
  const files: Timed[] = []
  const tests: Timed[] = []
  let testsOfFile: Timed[] = []
  const endFile = (name: string, milliseconds: number): void => {
    files.push({ name, milliseconds })
    tests.push(...testsOfFile.map(test => ({ ...test, name: `${name}: ${test.name}` })))
    testsOfFile = []
  }
  const isShared = (name: string): boolean =>
    processes.some(({ entry, files }) => !entry.endsWith(name) && files().includes(name))
  return {
    durations: (): Durations => ({ files, tests }),
    end: ({ name, nesting, details }: Ended): void => {
      if (details.type === 'suite' && nesting === 0 && isShared(name)) endFile(name, details.duration_ms)
      else if (details.type !== 'suite') testsOfFile.push({ name, milliseconds: details.duration_ms })
    },
    summarize: (file: string | undefined, milliseconds: number): void => {
      const [own, ...others] = processes.find(({ entry }) => entry === file)?.files() ?? []
      if (own !== undefined && others.length === 0 && file?.endsWith(own)) endFile(own, milliseconds)
    },
  }
}

const slowest = (timed: readonly Timed[]): Timed[] =>
  timed.toSorted((a, b) => b.milliseconds - a.milliseconds).slice(0, MAX_LISTED)

const listed = (title: string, timed: readonly Timed[]): string[] => [
  title,
  ...slowest(timed).map(({ name, milliseconds }) => `${(milliseconds / 1000).toFixed(1).padStart(8)} s ${name}`),
]

/** Returns the lists of the files and tests that took longest. */
export const formatSlowest = ({ files, tests }: Durations): string =>
  [...listed('Slowest files:', files), ...listed('Slowest tests:', tests)].join('\n')

const earlier = async (): Promise<Readonly<Record<string, number>>> => {
  const text = await readFile(LOG, 'utf8').catch(() => '{}')
  return JSON.parse(text) as Record<string, number>
}

/** Writes the milliseconds of each file to `test-results/durations.json`, beside those of other files in earlier runs. */
export const recordDurations = async ({ files }: Durations): Promise<void> => {
  const own = Object.fromEntries(files.map(({ name, milliseconds }) => [name, Math.round(milliseconds)]))
  const all = Object.entries({ ...(await earlier()), ...own }).sort(([, a], [, b]) => b - a)
  await mkdir(dirname(LOG), { recursive: true })
  await writeFile(LOG, `${JSON.stringify(Object.fromEntries(all), undefined, 2)}\n`)
}
