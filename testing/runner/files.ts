import { globSync, readFileSync, statSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

const USUAL = ['src/**/*.test.ts', 'tools/*.test.ts', 'testing/*.test.ts', 'tests/*.test.ts']
const FILES_PER_GROUP = 8
const GROUP = new URL('group.ts', import.meta.url).href

// Files that drive a browser or real processes for minutes, and files that say so in their first line, have a process of their own.
const isAlone = (file: string): boolean =>
  !file.endsWith('.test.ts') || readFileSync(file, 'utf8').startsWith('// Runs in a process of its own')

/** The test files that these patterns name, without patterns all that `npm test` runs; throws where there is none. */
export const testFiles = (patterns: readonly string[]): string[] => {
  const files = globSync(patterns.length === 0 ? USUAL : [...patterns]).sort()
  if (files.length === 0) throw new Error(`no test file matches ${patterns.join(' ')}`)
  return files
}

// The largest files first, dealt in turn: groups take about the same time.
const dealt = (files: readonly string[]): string[][] => {
  const groups: string[][] = Array.from({ length: Math.ceil(files.length / FILES_PER_GROUP) }, () => [])
  const bySize = files.toSorted((a, b) => statSync(b).size - statSync(a).size)
  for (const [index, file] of bySize.entries()) groups[index % groups.length]?.push(file)
  return groups
}

/** A process of the runner: the file that it executes, and the test files that this runs. */
export type TestProcess = { readonly entry: string; readonly files: readonly string[] }

const alone = (file: string): TestProcess => ({ entry: resolve(file), files: [file] })

const grouped = async (files: readonly string[], folder: string, index: number): Promise<TestProcess> => {
  const entry = join(folder, `group-${index + 1}.mjs`)
  await writeFile(entry, `import { runGroup } from '${GROUP}'\nawait runGroup(${JSON.stringify(files)})\n`)
  return { entry, files }
}

/** Distributes test files over processes; the entries of groups are written to the folder. */
export const testProcesses = async (files: readonly string[], folder: string): Promise<TestProcess[]> => {
  await mkdir(folder, { recursive: true })
  const together = files.filter(file => !isAlone(file))
  const groups = await Promise.all(dealt(together).map((group, index) => grouped(group, folder, index)))
  return [...files.filter(isAlone).map(alone), ...groups]
}

/** Each test file in a process of its own. */
export const separateProcesses = (files: readonly string[]): TestProcess[] => files.map(alone)
