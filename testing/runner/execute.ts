import { once } from 'node:events'
import { resolve } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { preloadArguments } from '../preload.ts'
import { collectDurations, type Durations } from './durations.ts'
import type { TestProcess } from './files.ts'

const FIRST = ['./test-contexts.ts', './known-hash.ts'].flatMap(file => ['--import', import.meta.resolve(file)])

/** Options of a test run, from the command line. */
export type ExecuteOptions = {
  readonly concurrency: number
  /** The timeout of one test in milliseconds. */
  readonly timeout: number
  readonly namePatterns: readonly string[]
  /** Ends the execution early. */
  readonly signal: AbortSignal
}

/** A failure in one file, or of a process of several files that did not end normally. */
export type Failure = { readonly files: readonly string[]; readonly error: string }

/** What a run of test processes resulted in. */
export type Executed = { readonly failures: readonly Failure[]; readonly durations: Durations }

type Ended = { readonly name: string; readonly nesting: number; readonly file?: string; readonly details: object }

type Summary = { readonly file: string | undefined; readonly success: boolean }

const describeError = ({ details }: Ended): string => {
  const error = 'error' in details ? details.error : undefined
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
}

// A suite that fails only because something in it failed adds no information.
const hasOwnError = ({ details }: Ended): boolean =>
  !('error' in details && (details.error as { failureType?: unknown }).failureType === 'subtestsFailed')

// The runner reports one process after another, and a process reports one file after another.
const executionLog = (processes: readonly TestProcess[]) => {
  const failures: Failure[] = []
  const ended = new Set<string>()
  let firstError: string | undefined
  const end = (files: readonly string[]): void => {
    for (const file of files) ended.add(file)
    firstError = undefined
  }
  const listFiles = ({ name, file }: Ended): readonly string[] => {
    const process = processes.find(
      ({ entry, files }) => entry === file || entry === resolve(name) || files().includes(name),
    )
    const files = process?.files() ?? []
    return files.includes(name) ? [name] : files.filter(each => !ended.has(each))
  }
  const fail = (test: Ended): void => {
    if (hasOwnError(test)) firstError ??= `${test.name}\n${describeError(test)}`
    if (test.nesting > 0) return
    const files = listFiles(test)
    // A test that a shared module declares names that module; the summary of its process names the file.
    if (files.length === 0) return
    failures.push({ files, error: firstError ?? test.name })
    end(files)
  }
  const pass = (test: Ended): void => {
    if (test.nesting === 0 && listFiles(test).length > 0) end([test.name])
  }
  const summarize = ({ file, success }: Summary): void => {
    const files = processes.find(({ entry }) => entry === file)?.files() ?? []
    const left = files.filter(each => !ended.has(each))
    if (!success && firstError !== undefined && left.length > 0) failures.push({ files: left, error: firstError })
    end(left)
  }
  return { failures, fail, pass, summarize }
}

/** Runs these test processes and prints their reports as they arrive; throws when the runner failed. */
export const execute = async (processes: readonly TestProcess[], options: ExecuteOptions): Promise<Executed> => {
  const log = executionLog(processes)
  const { durations, end, summarize } = collectDurations(processes)
  let success = true
  const stream = run({
    files: processes.map(({ entry }) => entry),
    concurrency: options.concurrency,
    signal: options.signal,
    execArgv: [...preloadArguments, ...FIRST, `--test-timeout=${options.timeout}`],
    ...(options.namePatterns.length === 0 ? {} : { testNamePatterns: [...options.namePatterns] }),
  })
  stream.on('test:fail', log.fail)
  stream.on('test:pass', log.pass)
  for (const event of ['test:pass', 'test:fail'] as const) stream.on(event, end)
  stream.on('test:summary', ({ file, success: passed, duration_ms: milliseconds }) => {
    summarize(file, milliseconds)
    if (file === undefined) success = passed
    else log.summarize({ file, success: passed })
  })
  const report = stream.compose(new spec())
  report.pipe(process.stdout, { end: false })
  await once(report, 'end')
  if (!success && log.failures.length === 0) throw new Error('the test runner failed without naming a file')
  return { failures: log.failures, durations: durations() }
}
