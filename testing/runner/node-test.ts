import { after as addAfter, before as addBefore, suite as addSuite, test as addTest } from 'node:test'

// In a process that runs several test files, `node:test` resolves to this module for them (group.ts): what a file declares at
// its top level, hooks included, is collected and then declared inside a suite of that file.

let collected: (() => unknown)[] | undefined

const deferred =
  <Args extends unknown[]>(declare: (...args: Args) => unknown) =>
  (...args: Args): unknown =>
    collected === undefined ? declare(...args) : void collected.push(() => declare(...args))

/** Imports a test file; the answer declares its tests and hooks in the suite that calls it. */
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

export const after = deferred(addAfter)
export const before = deferred(addBefore)
export const suite = deferred(addSuite)
export const test = deferred(addTest)
