import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Bench } from './bench.ts'

type Range = { readonly startOffset: number; readonly endOffset: number; readonly count: number }
type Script = { readonly url: string; readonly functions: readonly { readonly ranges: readonly Range[] }[] }

/** The coverage of one test file: its duration, and the ranges that it ran in each file. */
export type Covered = {
  readonly test: string
  readonly ms: number
  /** Whether it runs the code at an offset of a file. */
  runs(path: string, offset: number): boolean
}

// Offsets stay the same when Node strips types; the narrowest range around an offset counts it.
const isRun = ({ functions }: Script, offset: number): boolean => {
  const around = functions
    .flatMap(({ ranges }) => ranges)
    .filter(({ startOffset, endOffset }) => startOffset <= offset && offset < endOffset)
  const narrowest = around.sort((a, b) => a.endOffset - a.startOffset - (b.endOffset - b.startOffset))[0]
  return narrowest !== undefined && narrowest.count > 0
}

const readScripts = async (reports: string, folder: string): Promise<ReadonlyMap<string, readonly Script[]>> => {
  const found = new Map<string, Script[]>()
  for (const name of await readdir(reports)) {
    const { result } = JSON.parse(await readFile(join(reports, name), 'utf8')) as { result: Script[] }
    for (const script of result) {
      if (!script.url.startsWith('file:')) continue
      const path = fileURLToPath(script.url)
      if (!path.startsWith(join(folder, 'src'))) continue
      const key = path.slice(folder.length + 1)
      found.set(key, [...(found.get(key) ?? []), script])
    }
  }
  return found
}

const TIMEOUT = 600_000

/** Runs one unchanged test file and returns its coverage; throws where it fails. */
export const cover = async (bench: Bench, test: string): Promise<Covered> => {
  const reports = join(bench.folder, 'test-results', 'coverage')
  await mkdir(reports, { recursive: true })
  const startedAt = performance.now()
  const passed = await bench.passes([test], { timeout: TIMEOUT, coverage: reports })
  if (!passed) throw new Error(`${test} fails without a mutation`)
  const scripts = await readScripts(reports, bench.folder)
  await rm(reports, { recursive: true })
  return {
    test,
    ms: performance.now() - startedAt,
    runs: (path, offset) => (scripts.get(path) ?? []).some(script => isRun(script, offset)),
  }
}
