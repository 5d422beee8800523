import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openEmbedded } from '#src/db/embedded/index.ts'
import { makeTemplates } from '#testing/templates.ts'
import { postmasterOf } from './cpu.ts'
import type { Group } from './groups/group.ts'
import { lists } from './groups/lists.ts'
import { oauth } from './groups/oauth.ts'
import { platform } from './groups/platform.ts'
import { publicReads } from './groups/public.ts'
import { reads } from './groups/reads.ts'
import { writes } from './groups/writes.ts'
import { loadNow, machine, machineLine } from './machine.ts'
import { type Effort, linesOf, type Measured, measure } from './measure.ts'
import { linesOfStarts, type RivalStart } from './rival-start.ts'
import { linesOfStart, measureStart, type Start } from './start.ts'

const usual = { oauth, reads, lists, writes, public: publicReads }
const groups: Readonly<Record<string, () => Promise<Group>>> = { ...usual, platform }
const LONGEST_MINUTES = 30
// A group whose rival has to be installed is run by its name alone.
const inAll = [...Object.keys(usual), 'start']
const names = [...inAll, 'platform', 'all']
const USAGE = `npm run bench -- ${names.join('|')} [--rounds 5] [--seconds 4] [--connections 10] [--json]`

const { values, positionals } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    connections: { type: 'string', default: '10' },
    json: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})

const say = (line: string): void => {
  if (!values.json) console.log(line)
}

type Figures = {
  readonly measured: readonly Measured[]
  /** Of rivals that are programs to install, by the group. */
  readonly rival_starts?: Readonly<Record<string, RivalStart>>
  readonly start?: Start
}

const runGroup = async (name: string, open: () => Promise<Group>, effort: Effort): Promise<Figures> => {
  const group = await open()
  const measured: Measured[] = []
  try {
    for (const comparison of group.comparisons) {
      const one = await measure(comparison, effort)
      measured.push(one)
      say(linesOf(one))
    }
    const starts = await group.starts?.(effort.rounds)
    if (starts === undefined) return { measured }
    say(linesOfStarts(starts))
    return { measured, rival_starts: { [name]: starts } }
  } finally {
    await group.stop()
  }
}

const runStart = async ({ rounds }: Effort): Promise<Figures> => {
  const start = await measureStart(rounds)
  say(linesOfStart(start))
  return { measured: [], start }
}

const runOne = (name: string, effort: Effort): Promise<Figures> => {
  const open = groups[name]
  return open === undefined ? runStart(effort) : runGroup(name, open, effort)
}

const runAll = async (chosen: readonly string[], effort: Effort): Promise<Figures> => {
  let all: Figures = { measured: [] }
  for (const name of chosen) {
    const one = await runOne(name, effort)
    all = { ...all, ...one, measured: [...all.measured, ...one.measured] }
  }
  return all
}

const run = async (name: string): Promise<void> => {
  const { rounds, seconds, connections } = values
  const dataFolder = await mkdtemp(join(tmpdir(), 'stoa-bench-'))
  const server = await openEmbedded({ dataFolder, mode: 'serve', durable: true, log: () => undefined })
  try {
    Object.assign(process.env, await makeTemplates(server))
    const before = machine()
    const command = `npm run bench -- ${name} --rounds ${rounds} --seconds ${seconds} --connections ${connections}`
    say(command)
    say(machineLine(before))
    const effort = {
      rounds: Number(rounds),
      seconds: Number(seconds),
      connections: Number(connections),
      postmaster: await postmasterOf(dataFolder),
    }
    const figures = await runAll(name === 'all' ? inAll : [name], effort)
    const after = loadNow()
    say(`load after: ${after.join(' ')}`)
    if (values.json)
      console.log(JSON.stringify({ command, machine: before, load_after: after, ...figures }, undefined, 2))
  } finally {
    await server.stop()
    await rm(dataFolder, { recursive: true, force: true })
  }
}

const [name] = positionals
if (name === undefined || !names.includes(name)) {
  console.error(USAGE)
  process.exit(1)
}
// Whatever does not end by itself is ended.
setTimeout(() => {
  console.error(`the bench took more than ${LONGEST_MINUTES} minutes`)
  process.exit(1)
}, LONGEST_MINUTES * 60_000).unref()
await run(name)
process.exit()
