// One thing: where a server spends its time: `node bin/node.mjs bench/profile.ts folder/CPU.….cpuprofile`.
import { readFileSync } from 'node:fs'

type Frame = { readonly functionName: string; readonly url: string }

/** A CPU profile as V8 writes it: its nodes, and which of them each sample was in, with the microseconds before it. */
type CpuProfile = {
  readonly nodes: readonly { readonly id: number; readonly callFrame: Frame }[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

// A process first starts and compiles; only the second half is a server at work.
const SKIPPED = 0.5
const SHOWN = 25
const SENDING = /^(?:writev|write\w*String|writeBuffer)$/

const findPackage = (url: string): string | undefined => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]

/** The part of a server that a frame belongs to. */
const choosePart = ({ functionName, url }: Frame): string => {
  if (functionName === '(garbage collector)') return 'collecting garbage'
  if (SENDING.test(functionName)) return 'system calls that send'
  if (url.startsWith('node:')) return url.startsWith('node:internal/crypto') ? 'node: crypto' : 'node'
  if (url === '') return 'V8: compiled expressions, promises, texts'
  return findPackage(url) ?? (url.includes('/src/') ? 'Stoa' : 'others')
}

/** The shares of the parts in the time in which the process was not idle, the largest first. */
const computeShares = ({ nodes, samples, timeDeltas }: CpuProfile): [part: string, share: number][] => {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const from = timeDeltas.reduce((sum, delta) => sum + delta, 0) * SKIPPED
  const times = new Map<string, number>()
  let [at, busy] = [0, 0]
  for (const [index, id] of samples.entries()) {
    const delta = timeDeltas[index] ?? 0
    at += delta
    const frame = frames.get(id)
    if (at < from || frame === undefined || frame.functionName === '(idle)') continue
    busy += delta
    const part = choosePart(frame)
    times.set(part, (times.get(part) ?? 0) + delta)
  }
  return [...times].map(([part, time]): [string, number] => [part, time / busy]).sort((a, b) => b[1] - a[1])
}

const [file = ''] = process.argv.slice(2)
for (const [part, share] of computeShares(JSON.parse(readFileSync(file, 'utf8'))).slice(0, SHOWN))
  console.log(`${(share * 100).toFixed(1).padStart(5)} %  ${part}`)
