import { registerHooks } from 'node:module'
import { suite, test } from 'node:test'
import { pathToFileURL } from 'node:url'

const COLLECTOR = new URL('node-test.ts', import.meta.url).href
const FILE_TIMEOUT = 1_800_000

const declareInSuite = async (file: string): Promise<void> => {
  const { collect } = await import('./node-test.ts')
  const declare = await collect(() => import(pathToFileURL(file).href))
  // At the top level a suite resolves when it has ended: the next file is loaded after the hooks of this one.
  await suite(file, { timeout: FILE_TIMEOUT }, declare)
}

/** Runs test files one after another in this process, each in a suite that has the path of the file for its name. */
export const runGroup = async (files: readonly string[]): Promise<void> => {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'node:test' && context.parentURL !== COLLECTOR
        ? { url: COLLECTOR, shortCircuit: true }
        : next(specifier, context),
  })
  for (const file of files)
    await declareInSuite(file).catch(error =>
      test(file, () => {
        throw error
      }),
    )
}
