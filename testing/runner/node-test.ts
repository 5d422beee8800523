import {
  after as addAfter,
  afterEach as addAfterEach,
  before as addBefore,
  beforeEach as addBeforeEach,
  suite as addSuite,
  test as addTest,
  type TestOptions,
} from 'node:test'

// In a process that runs several test files, `node:test` resolves to this module for them (shared-process.ts): what a file declares at
// its top level, hooks included, is collected and then declared inside a suite of that file.

let collected: (() => unknown)[] | undefined

const deferred =
  <Args extends unknown[]>(declare: (...args: Args) => unknown) =>
  (...args: Args): unknown =>
    collected === undefined ? declare(...args) : void collected.push(() => declare(...args))

/** Imports a test file; returns a function that declares its tests and hooks in the suite that calls it. */
export const collect = async (load: () => Promise<unknown>): Promise<() => void> => {
  const calls: (() => unknown)[] = []
  collected = calls
  try {
    await load()
  } finally {
    collected = undefined
  }
  return () => {
    for (const call of calls) call()
  }
}

// A test would get the duration of the suite of its file.
const TEST_TIMEOUT = 120_000

type TestBody = Parameters<typeof addTest>[0]
type TestCall = [name: string, run: TestBody] | [name: string, options: TestOptions, run: TestBody]

const testInTime = (...call: TestCall): Promise<void> => {
  const [name, options, run] = call.length === 2 ? [call[0], {}, call[1]] : call
  return addTest(name, { timeout: TEST_TIMEOUT, ...options }, run)
}

export const after = deferred(addAfter)
export const afterEach = deferred(addAfterEach)
export const before = deferred(addBefore)
export const beforeEach = deferred(addBeforeEach)
export const suite = deferred(addSuite)
export const test = deferred(testInTime)
