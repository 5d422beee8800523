import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openEmbedded } from '#src/db/embedded/index.ts'
import { makeTemplates } from '#testing/templates.ts'
import { postmasterOf } from './cpu.ts'
import { lists } from './groups/lists.ts'
import { oauth } from './groups/oauth.ts'
import { publicReads } from './groups/public.ts'
import { reads } from './groups/reads.ts'
import { writes } from './groups/writes.ts'
import { loadNow, machine, machineLine } from './machine.ts'
import { type Effort, linesOf, type Measured, measure } from './measure.ts'
import { measureScale, SCALE_MINUTES, type Scale } from './scale/index.ts'
import { linesOfStart, measureStart, type Start } from './start.ts'

const groups = { oauth, reads, lists, writes, public: publicReads } as const
const LONGEST_MINUTES = 30
// The group scale takes as long as all others together, so it runs by itself.
const names = [...Object.keys(groups), 'start', 'all', 'scale']
const USAGE = `npm run bench -- ${names.join('|')} [--rounds 5] [--seconds 4] [--connections 10] [--json]
npm run bench -- scale [--rows 1000000] [--only listOrders,listMembers] [--json]`

const { values, positionals } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    connections: { type: 'string', default: '10' },
    rows: { type: 'string', default: '1000000' },
    only: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})

const say = (line: string): void => {
  if (!values.json) console.log(line)
}

const runGroup = async (name: keyof typeof groups, effort: Effort): Promise<Measured[]> => {
  const group = await groups[name]()
  const measured: Measured[] = []
  try {
    for (const comparison of group.comparisons) {
      const one = await measure(comparison, effort)
      measured.push(one)
      say(linesOf(one))
    }
  } finally {
    await group.stop()
  }
  return measured
}

const isGroup = (name: string): name is keyof typeof groups => Object.hasOwn(groups, name)

type Figures = { readonly measured: readonly Measured[]; readonly start: Start | undefined } | { readonly scale: Scale }

const runAll = async (chosen: readonly string[], effort: Effort): Promise<Figures> => {
  const measured: Measured[] = []
  for (const name of chosen.filter(isGroup)) measured.push(...(await runGroup(name, effort)))
  if (!chosen.includes('start')) return { measured, start: undefined }
  const start = await measureStart(effort.rounds)
  say(linesOfStart(start))
  return { measured, start }
}

const runScale = async (): Promise<Figures> => {
  const only = values.only.split(',').filter(id => id !== '')
  return { scale: await measureScale({ rows: Number(values.rows), only }, say) }
}

const commandOf = (name: string): string => {
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
    const command = commandOf(name)
    say(command)
    say(machineLine(before))
    const effort = {
      rounds: Number(rounds),
      seconds: Number(seconds),
      connections: Number(connections),
      postmaster: await postmasterOf(dataFolder),
    }
    const figures = name === 'scale' ? await runScale() : await runAll(name === 'all' ? names : [name], effort)
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
const longest = name === 'scale' ? SCALE_MINUTES : LONGEST_MINUTES
setTimeout(() => {
  console.error(`the bench took more than ${longest} minutes`)
  process.exit(1)
}, longest * 60_000).unref()
await run(name)
process.exit()
