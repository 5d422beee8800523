import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Bench, openBench } from './mutation/bench.ts'
import { type Part, parts } from './mutation/parts.ts'
import { coverPart, listMutants, type Mutant, type Tried, tryMutants } from './mutation/trial.ts'
import { lineAt } from './source.ts'

const ROOT = join(import.meta.dirname, '..')

const { values: flags } = parseArgs({
  options: {
    part: { type: 'string', multiple: true, default: Object.keys(parts) },
    sample: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '30' },
    workers: { type: 'string', default: '2' },
    /** Only files whose path contains this. */
    file: { type: 'string', default: '' },
  },
})

const formatPlace = ({ path, original, edit }: Mutant): string => {
  const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 100)
  const before = oneLine(original.slice(edit.start, edit.end))
  return `${path}:${lineAt(original, edit.start)} ${edit.name}: ${before} → ${oneLine(edit.text) || '(nothing)'}`
}

const countItems = (results: readonly Tried[], ...outcomes: readonly Tried['outcome'][]): number =>
  results.filter(({ outcome }) => outcomes.includes(outcome)).length

const formatScore = (results: readonly Tried[]): string => {
  const killed = countItems(results, 'killed')
  const valid = killed + countItems(results, 'survived', 'uncovered')
  return valid === 0 ? 'no mutant' : `${((100 * killed) / valid).toFixed(1)} %`
}

const report = (name: string, results: readonly Tried[], total: number): void => {
  const left = results.filter(({ outcome }) => outcome === 'survived' || outcome === 'uncovered')
  const places = left.map(({ mutant, outcome }) => `${outcome} ${formatPlace(mutant)}`).sort()
  mkdirSync(join(ROOT, 'test-results'), { recursive: true })
  writeFileSync(join(ROOT, 'test-results', `mutants-${name}.txt`), `${places.join('\n')}\n`)
  console.log(`\n${places.join('\n')}`)
  const counts = `${countItems(results, 'killed')} killed, ${countItems(results, 'survived')} survived, ${countItems(results, 'uncovered')} not run by a test`
  console.log(
    `${name}: ${formatScore(results)} (${counts}, ${countItems(results, 'invalid')} invalid; of ${total} mutants)`,
  )
}

const mutatePart = async (benches: readonly Bench[], name: string, part: Part): Promise<void> => {
  const [first] = benches
  if (first === undefined) throw new Error('at least one worker is needed')
  const mutants = listMutants(first, part, flags.seed).filter(({ path }) => path.includes(flags.file))
  console.log(`${name}: ${mutants.length} mutants`)
  const covered = await coverPart(benches, part, ({ test, ms }) => console.log(`  ${test} ${Math.round(ms)} ms`))
  const bounds = {
    sample: flags.sample === 'all' ? Number.POSITIVE_INFINITY : Number(flags.sample),
    seed: flags.seed,
    until: performance.now() + Number(flags.minutes) * 60_000,
  }
  const results = await tryMutants(benches, { mutants, covered, bounds }, ({ mutant, outcome }) => {
    if (outcome !== 'invalid') console.log(`  ${outcome} ${formatPlace(mutant)}`)
  })
  report(name, results, mutants.length)
}

const chosen = flags.part.map(name => {
  const part = parts[name]
  if (part === undefined) throw new Error(`there is no part ${name}, only ${Object.keys(parts).join(', ')}`)
  return [name, part] as const
})

const main = async (): Promise<void> => {
  const benches: Bench[] = []
  let closed: Promise<unknown> | undefined
  const close = (): Promise<unknown> => {
    closed ??= Promise.all(benches.map(bench => bench.close()))
    return closed
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => close().finally(() => process.exit(1)))
  try {
    for (let index = 0; index < Number(flags.workers); index++) benches.push(await openBench(ROOT))
    for (const [name, part] of chosen) await mutatePart(benches, name, part)
  } finally {
    await close()
  }
}

await main()
process.exit(0)
