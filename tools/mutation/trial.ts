import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench } from './bench.ts'
import { type Covered, cover } from './coverage.ts'
import { applied, type Edit, listEdits } from './operators.ts'
import type { Part } from './parts.ts'

/** A text of one file that differs from the checkout in one place. */
export type Mutant = { readonly path: string; readonly original: string; readonly edit: Edit }

/** What came of a mutant: its tests failed, passed, or none runs the place; `invalid` is what the compiler refuses. */
type Outcome = 'killed' | 'survived' | 'uncovered' | 'invalid'

/** A mutant and its outcome. */
export type Tried = { readonly mutant: Mutant; readonly outcome: Outcome }

/** How many mutants are tested, which, and for how long. */
type Bounds = { readonly sample: number; readonly seed: string; readonly until: number }

const listFiles = (folder: string, patterns: readonly string[]): string[] =>
  globSync([...patterns], { cwd: folder })
    .map(String)
    .sort()

// A mutant has the same place in the order whatever else changes, so that a sample stays comparable.
const buildOrder = (seed: string, { path, original, edit }: Mutant): string =>
  createHash('sha256')
    .update(`${seed}\n${path}\n${edit.name}\n${original.slice(edit.start, edit.end)}\n${edit.text}\n${edit.start}`)
    .digest('hex')

/** Every mutant of the files of a part, in an order that the seed decides. */
export const listMutants = ({ folder, compiler }: Bench, part: Part, seed: string): Mutant[] =>
  listFiles(folder, part.sources)
    .filter(path => !path.endsWith('.test.ts'))
    .flatMap(path => {
      const original = readFileSync(join(folder, path), 'utf8')
      return listEdits(compiler.parse(join(folder, path))).map(edit => ({ path, original, edit }))
    })
    .map(mutant => ({ mutant, order: buildOrder(seed, mutant) }))
    .sort((a, b) => (a.order < b.order ? -1 : 1))
    .map(({ mutant }) => mutant)

const tryMutant = async (bench: Bench, covered: readonly Covered[], mutant: Mutant): Promise<Outcome> =>
  bench.withText(mutant.path, applied(mutant.original, mutant.edit), async () => {
    if (bench.compiler.listErrors(join(bench.folder, mutant.path)).length > 0) return 'invalid'
    const relevant = covered.filter(({ runs }) => runs(mutant.path, mutant.edit.start)).sort((a, b) => a.ms - b.ms)
    if (relevant.length === 0) return 'uncovered'
    const usual = relevant.reduce((sum, { ms }) => sum + ms, 0)
    const passed = await bench.passes(
      relevant.map(({ test }) => test),
      { timeout: 3 * usual + 30_000 },
    )
    return passed ? 'survived' : 'killed'
  })

// Each bench takes the next piece of work when it has done one.
const distribute = async <Piece>(
  benches: readonly Bench[],
  pieces: readonly Piece[],
  work: (bench: Bench, piece: Piece) => Promise<boolean>,
): Promise<void> => {
  const rest = pieces.values()
  await Promise.all(
    benches.map(async bench => {
      for (const piece of rest) if (!(await work(bench, piece))) return
    }),
  )
}

/** What every test file of a part runs without a mutation. */
export const coverPart = async (benches: readonly Bench[], part: Part, onCovered: (covered: Covered) => void) => {
  const all: Covered[] = []
  await distribute(benches, listFiles(benches[0]?.folder ?? '', part.tests), async (bench, test) => {
    const covered = await cover(bench, test)
    all.push(covered)
    onCovered(covered)
    return true
  })
  return all
}

/** Tries mutants until the sample is full, the time is over or none is left. */
export const tryMutants = async (
  benches: readonly Bench[],
  { mutants, covered, bounds }: { mutants: readonly Mutant[]; covered: readonly Covered[]; bounds: Bounds },
  onResult: (result: Tried) => void,
): Promise<readonly Tried[]> => {
  const all: Tried[] = []
  let start = 0
  await distribute(benches, mutants, async (bench, mutant) => {
    if (start >= bounds.sample || performance.now() >= bounds.until) return false
    start++
    const result = { mutant, outcome: await tryMutant(bench, covered, mutant) }
    // What the compiler refuses counts for nothing: another mutant takes its place.
    if (result.outcome === 'invalid') start--
    all.push(result)
    onResult(result)
    return true
  })
  return all
}
