import '#src/kit/module-paths.ts'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { enableCompileCache, flushCompileCache } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openEmbedded } from '#src/db/embedded/index.ts'
import { findChromium, NO_CHROMIUM } from './chromium-path.ts'
import { DERIVED, findChanged } from './runner/changed.ts'
import { formatSlowest, recordDurations } from './runner/durations.ts'
import { type ExecuteOptions, execute, type Failure } from './runner/execute.ts'
import { separateProcesses, testFiles, testProcesses, untaken } from './runner/files.ts'
import { formatSummary, isAcceptable, isWorthRepeating, type Rerun, recordFlaky } from './runner/flaky.ts'
import { filesOfPart } from './runner/parts.ts'
import type { Server } from './templates.ts'

// STOA_TEST_POSTGRES names a folder with initdb, pg_ctl and postgres of another version.
const binFolder = process.env.STOA_TEST_POSTGRES
const MEMORY = '/dev/shm'
const CLUSTER_BYTES = 4 * 2 ** 30
// Who runs a few files sees their durations in the report.
const MAX_WITHOUT_DURATIONS = 5

const TIMEOUT = 120_000
const PROVE_TIMEOUT = 400_000
const PROVE = 'tests/prove/*.prove.ts'

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    prove: { type: 'boolean', default: false },
    // The tests that changes since a commit (HEAD unless it is named) can affect.
    changed: { type: 'boolean', default: false },
    // Of the files that would run, for example 2/5.
    part: { type: 'string' },
    'test-timeout': { type: 'string' },
    // One more than CI has cores: tests mostly wait.
    'test-concurrency': { type: 'string', default: '3' },
    'test-name-pattern': { type: 'string', multiple: true, default: [] },
  },
})

// The derived suites call the operations of the changed areas alone.
const filesOfChange = (base: string): readonly string[] => {
  const { tests, operations } = findChanged(base)
  if (operations.length > 0) process.env.STOA_TEST_OPERATIONS = operations.join()
  const files = [...new Set([...tests, ...(operations.length > 0 ? DERIVED : [])])]
  console.log(
    `${files.length} test files for changes since ${base}, ${operations.length} operations\n${files.join('\n')}`,
  )
  return files
}

const chooseFiles = (): readonly string[] => {
  if (flags.changed) return filesOfChange(positionals[0] ?? 'HEAD')
  const all = testFiles(flags.prove && positionals.length === 0 ? [PROVE] : positionals)
  return flags.part === undefined ? all : filesOfPart(all, flags.part)
}

const chosenFiles = chooseFiles()

const interruption = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interruption.abort())

const options: ExecuteOptions = {
  signal: interruption.signal,
  timeout: Number(flags['test-timeout'] ?? (flags.prove ? PROVE_TIMEOUT : TIMEOUT)),
  concurrency: Number(flags['test-concurrency']),
  namePatterns: flags['test-name-pattern'],
}

// Data that is not kept needs no disk, where the memory is large enough.
const clusterParent = async (): Promise<string> => {
  if (!existsSync(MEMORY)) return tmpdir()
  const { bavail, bsize } = await statfs(MEMORY)
  return bavail * bsize > CLUSTER_BYTES ? MEMORY : tmpdir()
}

// Types are stripped once for all processes that tests start: filling the templates loads what the tests load.
const prepare = async (server: Server, compiled: string): Promise<void> => {
  enableCompileCache(compiled)
  const { makeTemplates } = await import('./templates.ts')
  Object.assign(process.env, await makeTemplates(server))
  process.env.NODE_COMPILE_CACHE ??= compiled
  flushCompileCache()
}

// Failed files run once more, each in its own process.
const repeated = async (failures: readonly Failure[], folder: string): Promise<Rerun> => {
  const files = failures.flatMap(failure => failure.files)
  const again =
    isWorthRepeating(failures) && !interruption.signal.aborted
      ? (await execute(await separateProcesses(files, join(folder, 'repeated')), { ...options, concurrency: 1 }))
          .failures
      : failures
  return { failures, failedAgain: new Set(again.flatMap(failure => failure.files)) }
}

const passes = async (failures: readonly Failure[], folder: string): Promise<boolean> => {
  if (failures.length === 0) return true
  const rerun = await repeated(failures, folder)
  await recordFlaky(rerun)
  console.log(formatSummary(rerun))
  return isAcceptable(rerun)
}

const runTests = async (folder: string): Promise<boolean> => {
  const files = chosenFiles
  const processes = await testProcesses(files, join(folder, 'processes'), options.concurrency)
  const { failures, durations } = await execute(processes, options)
  await recordDurations(durations)
  if (files.length > MAX_WITHOUT_DURATIONS) console.log(formatSlowest(durations))
  const left = untaken(files, processes)
  const missing = left.length === 0 ? [] : [{ files: left, error: 'no process was left to run it' }]
  return passes([...failures, ...missing], folder)
}

const withServer = async (folder: string): Promise<boolean> => {
  const server = await openEmbedded({
    dataFolder: folder,
    mode: 'serve',
    durable: false,
    log: () => undefined,
    ...(binFolder === undefined ? {} : { binFolder }),
  })
  try {
    await prepare(server, join(folder, 'compiled'))
    return await runTests(folder)
  } finally {
    await server.stop()
  }
}

// Checked before anything starts: a browser test cannot stop what it started when its first hook fails.
const isChromiumMissing = (): boolean =>
  chosenFiles.some(file => file.endsWith('.browser.ts')) && findChromium() === undefined

const main = async (): Promise<boolean> => {
  if (chosenFiles.length === 0) return true
  if (isChromiumMissing()) {
    console.error(NO_CHROMIUM)
    return false
  }
  const folder = await mkdtemp(join(await clusterParent(), 'stoa-test-'))
  try {
    // A run that a test started uses the server of that test.
    return await (process.env.STOA_TEST_OWNER_URL === undefined ? withServer : runTests)(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

// A test process that was ended early, or its browser, may still run and would keep this process waiting.
process.exit((await main()) ? 0 : 1)
