import { readFileSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { pathToFileURL } from 'node:url'

const COLLECTOR = new URL('node-test.ts', import.meta.url).href
const FILE_TIMEOUT = 1_800_000

/** The settings of processes that share test files: the files, the folder of the claims, and the process's name. */
export type Shared = { readonly files: readonly string[]; readonly claims: string; readonly name: string }

// A file belongs to the process whose name is in its claim: the first one that writes it, or the one it was reserved for.
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
 * Runs test files one after another in this process, each in a suite with the path of the file as its name, until
 * this process and the others that share them have claimed all of them.
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
