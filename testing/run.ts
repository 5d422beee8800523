import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { enableCompileCache, flushCompileCache } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbedded } from '#src/db/embedded/index.ts'
import type { Server } from './templates.ts'

// STOA_TEST_POSTGRES names a folder with initdb, pg_ctl and postgres of another version.
const binFolder = process.env.STOA_TEST_POSTGRES
const USUAL = ['src/**/*.test.ts', 'tools/*.test.ts', 'testing/*.test.ts', 'tests/*.test.ts']

const filesOf = (args: readonly string[]): string[] => {
  const patterns = args.filter(arg => !arg.startsWith('--'))
  const files = globSync(patterns.length === 0 ? USUAL : patterns).sort()
  if (files.length === 0) throw new Error(`no test file matches ${patterns.join(' ')}`)
  return files
}

const runTests = (args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> =>
  new Promise((resolve, reject) => {
    const flags = args.filter(arg => arg.startsWith('--'))
    const child = spawn(
      process.execPath,
      // One more than CI has cores: much of what tests do is waiting.
      ['--test', '--test-concurrency=3', '--test-timeout=120000', ...flags, ...filesOf(args)],
      {
        stdio: 'inherit',
        env,
      },
    )
    child.on('error', reject)
    child.on('exit', code => resolve(code ?? 1))
  })

// Types are stripped once for all the processes that tests start: what fills the templates loads what the tests load.
const environment = async (server: Server, compiled: string) => {
  enableCompileCache(compiled)
  const { makeTemplates } = await import('./templates.ts')
  const told = await makeTemplates(server)
  flushCompileCache()
  return { NODE_COMPILE_CACHE: compiled, ...process.env, ...told }
}

const main = async (args: readonly string[]): Promise<number> => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'stoa-test-'))
  const server = await openEmbedded({
    dataFolder,
    mode: 'serve',
    durable: false,
    log: () => undefined,
    ...(binFolder === undefined ? {} : { binFolder }),
  })
  try {
    return await runTests(args, await environment(server, join(dataFolder, 'compiled')))
  } finally {
    await server.stop()
    await rm(dataFolder, { recursive: true, force: true })
  }
}

process.exitCode = await main(process.argv.slice(2))
