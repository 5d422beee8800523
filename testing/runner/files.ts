import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

const USUAL = ['src/**/*.test.ts', 'tools/*.test.ts', 'testing/**/*.test.ts', 'tests/*.test.ts']
const SHARED = new URL('shared-process.ts', import.meta.url).href

// The slowest files start first, so that none of them still runs when the other processes are done.
const LONGEST = [
  'src/areas/memberships/subscription-credits/credits.test.ts',
  'tests/matrix.test.ts',
  'tools/new-area.test.ts',
  'src/areas/memberships/renewals/renewals.test.ts',
  'tests/values.test.ts',
  'tests/edges.test.ts',
  'tests/fuzz.test.ts',
  'tests/commands.test.ts',
  'tests/personal.test.ts',
  'tests/sign-in-limits.test.ts',
  'tests/bound.test.ts',
  'tests/unrouted.test.ts',
  'tests/lists.test.ts',
  'tests/forms.test.ts',
  'src/areas/shop/payments/payments.test.ts',
  'src/areas/shop/orders/mails/mails.test.ts',
  'tests/facts.test.ts',
  'src/areas/files/appearance/appearance.test.ts',
  'tests/integrations.test.ts',
  'tests/invalidation.test.ts',
  'tests/mail.test.ts',
  'tests/sweep.test.ts',
  'tests/client-metadata-documents.test.ts',
  'tests/backup.test.ts',
  'src/db/embedded/embedded.test.ts',
  'tests/keys.test.ts',
  'tests/foreign.test.ts',
  'tests/races.test.ts',
  'tests/citus.test.ts',
  'tests/prove/edges.prove.ts',
  'tests/prove/matrix.prove.ts',
  'tests/prove/fuzz.prove.ts',
  'tests/prove/plans.prove.ts',
  'tests/prove/slow-body.prove.ts',
  'tests/prove/faults-writes-1.prove.ts',
  'tests/prove/faults-writes-2.prove.ts',
  'tests/prove/faults-writes-3.prove.ts',
  'tests/prove/database-killed.prove.ts',
  'tests/prove/commerce.prove.ts',
  'tests/prove/faults.prove.ts',
  'tests/prove/faults-pages.prove.ts',
  'tests/prove/uploads.prove.ts',
  'tests/prove/pooler.prove.ts',
  'tests/prove/killed.prove.ts',
  'tests/prove/restore.prove.ts',
  'tests/prove/csv.prove.ts',
  'tests/browser/pages.browser.ts',
  'tests/browser/orders.browser.ts',
  'tests/browser/checkout.browser.ts',
  'tests/browser/staff-selling.browser.ts',
  'tests/browser/docs.browser.ts',
]

// Files that use real processes for minutes, and files that say so in their first line, have their own process.
const isAlone = (file: string): boolean =>
  file.endsWith('.prove.ts') || readFileSync(file, 'utf8').startsWith('// Runs in its own process')

/** Returns the test files that match these patterns, without patterns all that `npm test` runs; throws where there is none. */
export const testFiles = (patterns: readonly string[]): string[] => {
  const files = globSync(patterns.length === 0 ? USUAL : [...patterns]).sort()
  if (files.length === 0) throw new Error(`no test file matches ${patterns.join(' ')}`)
  return files
}

const longestFirst = (files: readonly string[]): string[] => {
  const rank = (file: string): number => (LONGEST.includes(file) ? LONGEST.indexOf(file) : LONGEST.length)
  return files.toSorted((a, b) => rank(a) - rank(b) || statSync(b).size - statSync(a).size)
}

/** A process of the runner: the file that it executes, and the test files that it has claimed so far. */
export type TestProcess = { readonly entry: string; readonly files: () => readonly string[] }

/** Returns the files that no process claimed, which happens when all that share them ended early. */
export const untaken = (files: readonly string[], processes: readonly TestProcess[]): string[] => {
  const taken = new Set(processes.flatMap(process => process.files()))
  return files.filter(file => !taken.has(file))
}

const alone = (file: string): TestProcess => ({ entry: resolve(file), files: () => [file] })

// The process that claimed a file, if any: the first one that wrote its name into the claim.
const takenBy = (claim: string): string | undefined => (existsSync(claim) ? readFileSync(claim, 'utf8') : undefined)

const shared = async (files: readonly string[], folder: string, name: string): Promise<TestProcess> => {
  await mkdir(join(folder, 'claims'), { recursive: true })
  const entry = join(folder, `${name}.mjs`)
  const claims = join(folder, 'claims')
  const parts = JSON.stringify({ files, claims, name })
  await writeFile(entry, `import { runShared } from '${SHARED}'\nawait runShared(${parts})\n`)
  return { entry, files: () => files.filter((_file, index) => takenBy(join(claims, String(index))) === name) }
}

/**
 * Distributes test files over processes: that many which take one file after another, and one for each file that runs alone.
 * The files that they execute are written to the folder.
 */
export const testProcesses = async (
  files: readonly string[],
  folder: string,
  count: number,
): Promise<TestProcess[]> => {
  const together = longestFirst(files.filter(file => !isAlone(file)))
  const names = Array.from({ length: Math.min(count, together.length) }, (_, index) => `process-${index + 1}`)
  const processes = await Promise.all(names.map(name => shared(together, folder, name)))
  // A process without a file would count as a test; so each process has one file reserved.
  for (const [index, name] of names.entries()) await writeFile(join(folder, 'claims', String(index)), name)
  return [...longestFirst(files.filter(isAlone)).map(alone), ...processes]
}

/**
 * Returns a process for each test file. Those that share processes otherwise keep the suite of their file, in which one hook waits
 * for the one before; at the top level of a process Node starts all of them at once.
 */
export const separateProcesses = (files: readonly string[], folder: string): Promise<TestProcess[]> =>
  Promise.all(
    files.map((file, index) => (isAlone(file) ? alone(file) : shared([file], join(folder, String(index)), 'process'))),
  )
