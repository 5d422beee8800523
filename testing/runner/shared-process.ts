import { readFileSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { pathToFileURL } from 'node:url'

const COLLECTOR = new URL('node-test.ts', import.meta.url).href
const FILE_TIMEOUT = 1_800_000

/** What the processes that share test files know: the files, the folder of the claims, and their own name. */
export type Shared = { readonly files: readonly string[]; readonly claims: string; readonly name: string }

// A file is for the process whose name is in its claim: the first one that writes it, or the one for which it was reserved.
const claim = (path: string, name: string): boolean => {
  try {
    writeFileSync(path, name, { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return readFileSync(path, 'utf8') === name
    throw error
  }
}

const declareInSuite = async (file: string): Promise<void> => {
  const { collect } = await import('./node-test.ts')
  const declare = await collect(() => import(pathToFileURL(file).href))
  // At the top level a suite resolves when it has ended: the next file is loaded after the hooks of this one.
  await suite(file, { timeout: FILE_TIMEOUT }, declare)
}

/**
 * Runs test files one after another in this process, each in a suite that has the path of the file for its name, until
 * this process and others like it have taken all of them.
 */
export const runShared = async ({ files, claims, name }: Shared): Promise<void> => {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'node:test' && context.parentURL !== COLLECTOR
        ? { url: COLLECTOR, shortCircuit: true }
        : next(specifier, context),
  })
  for (const [index, file] of files.entries()) {
    if (!claim(join(claims, String(index)), name)) continue
    await declareInSuite(file).catch(error =>
      test(file, () => {
        throw error
      }),
    )
  }
}
