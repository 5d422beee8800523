import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openEmbedded } from '#src/db/embedded/index.ts'
import { makeTemplates } from '#testing/templates.ts'
import { readPostmaster } from './cpu.ts'
import { consolePages } from './groups/console.ts'
import type { Group } from './groups/group.ts'
import { lists } from './groups/lists.ts'
import { moving } from './groups/moving.ts'
import { oauth } from './groups/oauth.ts'
import { payments } from './groups/payments.ts'
import { platform } from './groups/platform.ts'
import { publicReads } from './groups/public.ts'
import { reads } from './groups/reads.ts'
import { webhooks } from './groups/webhooks.ts'
import { writes } from './groups/writes.ts'
import { loadNow, machine, machineLine } from './machine.ts'
import { type Effort, formatLines, type Measured, measure } from './measure.ts'
import { measureNeighbour, type Neighbour } from './neighbour.ts'
import { linesOfStarts, type RivalStart } from './rival-start.ts'
import { measureScale, SCALE_MINUTES, type Scale } from './scale/index.ts'
import { measureSchools, type SchoolsServed } from './schools.ts'
import { linesOfStart, measureStart, type Start } from './start.ts'

const usual = { oauth, reads, lists, writes, public: publicReads, payments, console: consolePages, moving, webhooks }
const groups: Readonly<Record<string, () => Promise<Group>>> = { ...usual, platform }
const LONGEST_MINUTES = 30
// A group whose rival has to be installed, and the groups of large installations, which take long, are run by their names alone.
const inAll = [...Object.keys(usual), 'start']
const names = [...inAll, 'neighbour', 'platform', 'schools', 'scale', 'all']
const USAGE = `npm run bench -- ${names.join('|')} [--rounds 5] [--seconds 4] [--connections 10] [--json] [--profile folder]
npm run bench -- scale [--rows 1000000] [--only listOrders,listMembers] [--json]
npm run bench -- schools [--rows 10000] [--json]`

const { values, positionals } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    connections: { type: 'string', default: '10' },
    rows: { type: 'string', default: '1000000' },
    only: { type: 'string', default: '' },
    profile: { type: 'string' },
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
  readonly scale?: Scale
  readonly schools?: readonly SchoolsServed[]
  readonly neighbours?: readonly Neighbour[]
}

const runGroup = async (name: string, open: () => Promise<Group>, effort: Effort): Promise<Figures> => {
  const group = await open()
  const measured: Measured[] = []
  try {
    for (const comparison of group.comparisons) {
      const one = await measure(comparison, effort)
      measured.push(one)
      say(formatLines(one))
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

const runScale = async (): Promise<Figures> => {
  const only = values.only.split(',').filter(id => id !== '')
  return { measured: [], scale: await measureScale({ rows: Number(values.rows), only }, say) }
}

const runSchools = async ({ postmaster }: Effort): Promise<Figures> => ({
  measured: [],
  schools: await measureSchools(postmaster, Number(values.rows), say),
})

const runNeighbour = async (effort: Effort): Promise<Figures> => ({
  measured: [],
  neighbours: await measureNeighbour(effort, say),
})

const runOne = (name: string, effort: Effort): Promise<Figures> => {
  if (name === 'schools') return runSchools(effort)
  if (name === 'scale') return runScale()
  if (name === 'neighbour') return runNeighbour(effort)
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

const buildCommand = (name: string): string => {
  const { rounds, seconds, connections, rows } = values
  return name === 'scale'
    ? `npm run bench -- scale --rows ${rows}`
    : `npm run bench -- ${name} --rounds ${rounds} --seconds ${seconds} --connections ${connections}`
}

const run = async (name: string): Promise<void> => {
  const { rounds, seconds, connections } = values
  const dataFolder = await mkdtemp(join(tmpdir(), 'stoa-bench-'))
  const server = await openEmbedded({ dataFolder, mode: 'serve', durable: true, log: () => undefined })
  try {
    Object.assign(process.env, await makeTemplates(server))
    const before = machine()
    const command = buildCommand(name)
    say(command)
    say(machineLine(before))
    const effort = {
      rounds: Number(rounds),
      seconds: Number(seconds),
      connections: Number(connections),
      postmaster: await readPostmaster(dataFolder),
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
// The servers that are compared are started with it; this process has read its options already.
if (values.profile !== undefined) process.env.NODE_OPTIONS = `--cpu-prof --cpu-prof-dir=${resolve(values.profile)}`
// Whatever does not end by itself is ended.
const longest = name === 'scale' ? SCALE_MINUTES : LONGEST_MINUTES
setTimeout(() => {
  console.error(`the bench took more than ${longest} minutes`)
  process.exit(1)
}, longest * 60_000).unref()
await run(name)
process.exit()
