import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { openEmbedded } from './index.ts'
import { quickly } from './test-folders.ts'

/** What a child process says about its attempt to open a data folder. */
type ChildMessage = { pid: number; ownerUrl?: string; appUrl?: string; error?: string; message?: string }

/** Where and as whom a child process runs; `program` is this file, wherever it was copied. */
export type Surroundings = {
  program?: string
  node?: string
  path?: string
  binFolder?: string
  user?: { uid: number; gid: number }
}

/** A process of its own that opens a data folder to serve it, until its standard input ends. */
export function openInChild(dataFolder: string, surroundings: Surroundings = {}): ChildProcess {
  const { program = import.meta.filename, node = process.execPath, path, binFolder, user } = surroundings
  const env = { ...process.env, ...(path && { PATH: path }), ...(binFolder && { STOA_TEST_BIN_FOLDER: binFolder }) }
  return spawn(node, [program, dataFolder], { stdio: ['pipe', 'pipe', 'inherit'], env, cwd: '/', ...user })
}

/** The message of the child about whether it has opened the folder. */
export async function readMessage(child: ChildProcess): Promise<ChildMessage> {
  if (!child.stdout) throw new Error('the child has no output')
  const [line] = await once(createInterface(child.stdout), 'line')
  return JSON.parse(line)
}

/** Lets the child stop its server and end. */
export async function finish(child: ChildProcess): Promise<void> {
  const ended = waitForEnd(child)
  child.stdin?.end()
  await ended
}

/** Ends the child as a power cut would. */
export async function killHard(child: ChildProcess): Promise<void> {
  const ended = waitForEnd(child)
  child.kill('SIGKILL')
  await ended
}

async function waitForEnd(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

async function main(dataFolder: string): Promise<void> {
  try {
    const embedded = await openEmbedded({ ...quickly(dataFolder), durable: true })
    process.stdin.resume().on('end', () => embedded.stop())
    say({ pid: process.pid, ownerUrl: embedded.ownerUrl, appUrl: embedded.appUrl })
  } catch (error) {
    if (!(error instanceof Error)) throw error
    say({ pid: process.pid, error: error.name, message: error.message })
    process.stdin.destroy()
  }
}

function say(said: ChildMessage): void {
  process.stdout.write(`${JSON.stringify(said)}\n`)
}

if (import.meta.main) await main(process.argv[2] ?? '')
