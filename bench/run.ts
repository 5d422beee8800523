import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openEmbedded } from '#src/db/embedded/index.ts'
import { makeTemplates } from '#testing/templates.ts'
import { lineOf, type Measured } from './measure.ts'
import { members } from './members.ts'
import { oauth } from './oauth.ts'

const stages = { members, oauth }
const LONGEST_MINUTES = 10
const USAGE = `npm run bench -- ${Object.keys(stages).join('|')} [--rounds 5] [--seconds 4] [--connections 10] [--json]`

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

const machine = () => ({
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: availableParallelism(),
  memory_gb: Math.round(totalmem() / 2 ** 30),
  node: process.version,
  load: loadavg().map(one => Number(one.toFixed(2))),
})

const run = async (name: keyof typeof stages): Promise<void> => {
  const effort = {
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    connections: Number(values.connections),
  }
  const dataFolder = await mkdtemp(join(tmpdir(), 'stoa-bench-'))
  const server = await openEmbedded({ dataFolder, mode: 'serve', durable: true, log: () => undefined })
  try {
    Object.assign(process.env, await makeTemplates(server))
    const before = machine()
    const command = `npm run bench -- ${name} --rounds ${effort.rounds} --seconds ${effort.seconds} --connections ${effort.connections}`
    say(command)
    say(
      `${before.cores} cores, ${before.cpu}, ${before.memory_gb} GB, Node ${before.node}, load ${before.load.join(' ')}`,
    )
    const stage = await stages[name]()
    const measured: Measured[] = []
    try {
      for (const measure of stage.measures) {
        const one = await measure(effort)
        measured.push(one)
        say(lineOf(one, stage.percentiles))
      }
    } finally {
      await stage.stop()
    }
    const after = loadavg().map(one => Number(one.toFixed(2)))
    say(`load after: ${after.join(' ')}`)
    if (values.json)
      console.log(JSON.stringify({ command, machine: before, load_after: after, measured }, undefined, 2))
  } finally {
    await server.stop()
    await rm(dataFolder, { recursive: true, force: true })
  }
}

const [name] = positionals
if (name === undefined || !Object.hasOwn(stages, name)) {
  console.error(USAGE)
  process.exit(1)
}
// Whatever hangs, it ends.
setTimeout(() => {
  console.error(`the bench took more than ${LONGEST_MINUTES} minutes`)
  process.exit(1)
}, LONGEST_MINUTES * 60_000).unref()
await run(name as keyof typeof stages)
process.exit()
