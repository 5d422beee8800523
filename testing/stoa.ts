import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { exitCodes, Failed } from '#src/commands/command.ts'
import { isExpected, runCommand } from '#src/commands/dispatch.ts'
import { freePort } from './ports.ts'

/** The output of a command and its exit code. */
export type Ran = { readonly code: number | null; readonly out: string; readonly err: string }

/** The launcher of this checkout. */
export const LAUNCHER = fileURLToPath(new URL('../bin/stoa.mjs', import.meta.url))

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

const settings = (env: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:STOA_|NODE_(?!COMPILE_CACHE))/.test(name)),
  ),
  // A slow machine must not decide the result of a test.
  STOA_DATABASE_WAIT: '10000',
  ...env,
})

const listen = (child: ChildProcess): { out: string; err: string } => {
  const output = { out: '', err: '' }
  child.stdout?.on('data', (chunk: Buffer) => {
    output.out += chunk.toString('utf8')
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    output.err += chunk.toString('utf8')
  })
  return output
}

/** Runs one command to its end, without the launcher or through the one that is named; `input` is its standard input. */
export const stoa = async (
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  launcher = MAIN,
  input = '',
): Promise<Ran> => {
  const child = spawn(process.execPath, [launcher, ...args], { stdio: 'pipe', env: settings(env) })
  // A command that reads nothing may have ended before it is written.
  child.stdin.on('error', () => undefined).end(input)
  const output = listen(child)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...output }
}

const joinText = (lines: readonly string[]): string => lines.map(line => `${line}\n`).join('')

/** Runs one command to its end in this process, without the cost of starting Node and loading it; `input` is its standard input. */
export const stoaHere = async (
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input = '',
): Promise<Ran> => {
  const out: string[] = []
  const err: string[] = []
  const ran = (code: number): Ran => ({ code, out: joinText(out), err: joinText(err) })
  try {
    await runCommand({
      args,
      env: settings(env),
      input: () => Readable.from(input === '' ? [] : [input]),
      out: line => void out.push(line),
      err: line => void err.push(line),
    })
    return ran(0)
  } catch (error) {
    if (!isExpected(error) || !(error instanceof Error)) throw error
    err.push(`stoa: ${error.message}`)
    return ran(error instanceof Failed ? error.exitCode : exitCodes.failed)
  }
}

/** Starts one command without its launcher, so that a test can kill it while it runs. */
export const startStoa = (args: readonly string[], env: Readonly<Record<string, string>>) => {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: 'ignore', env: settings(env) })
  const closed = once(child, 'close')
  return {
    kill: async (): Promise<void> => {
      child.kill('SIGKILL')
      await closed
    },
  }
}

/** A `stoa serve` that has printed its address. */
export type Serving = {
  readonly child: ChildProcess
  readonly output: { out: string; err: string }
  ended(): Promise<number | null>
}

/** Starts `stoa serve` through the launcher and waits until it prints its address; rejects when it ends before. */
export const serve = async (env: Readonly<Record<string, string>>): Promise<Serving> => {
  const child = spawn(process.execPath, [LAUNCHER, 'serve'], { stdio: ['ignore', 'pipe', 'pipe'], env: settings(env) })
  const output = listen(child)
  const closed = once(child, 'close').then(([code]) => code as number | null)
  const greeted = new Promise<void>(resolve => {
    child.stdout?.on('data', () => {
      if (output.out.includes('/docs')) resolve()
    })
  })
  const early = closed.then(code => {
    throw new Error(`serve ended with ${code}: ${output.err}`)
  })
  await Promise.race([greeted, early])
  early.catch(() => undefined)
  return { child, output, ended: () => closed }
}

/** Returns the settings for an empty data folder and a free port. */
export const freshSettings = async (): Promise<Record<string, string>> => {
  return {
    STOA_DATA: await mkdtemp(join(tmpdir(), 'stoa-data-')),
    STOA_PORT: String(await freePort()),
    STOA_LOG_LEVEL: 'info',
  }
}
