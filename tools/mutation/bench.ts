import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { openEmbedded } from '#src/db/embedded/index.ts'
import type { Shared } from '#testing/runner/shared-process.ts'
import { makeTemplates } from '#testing/templates.ts'
import { type Compiler, openCompiler } from './parse.ts'
import { runNode } from './run-node.ts'

/** A copy of the checkout with its own PostgreSQL, in which one mutant at a time is tested. */
export type Bench = {
  readonly folder: string
  readonly compiler: Compiler
  /** Whether these test files pass; they are ended at the first failure, and after `timeout` milliseconds. */
  passes(files: readonly string[], options: { readonly timeout: number; readonly coverage?: string }): Promise<boolean>
  /** Runs work while a file of the copy has another text. */
  withText<Result>(path: string, text: string, work: () => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

const MEMORY = '/dev/shm'
const NOT_COPIED = ['.git', 'node_modules', 'data', 'test-results']
const parent = existsSync(MEMORY) ? MEMORY : tmpdir()

const createCopy = async (root: string): Promise<string> => {
  const folder = await mkdtemp(join(parent, 'stoa-mutate-'))
  await cp(root, folder, {
    recursive: true,
    filter: path => !NOT_COPIED.includes(relative(root, path)),
  })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await mkdir(join(folder, 'test-results'))
  return folder
}

// Importing the files one after another needs one start of Node for all of them.
const buildEntry = (shared: Shared): string =>
  `import { runShared } from './testing/runner/shared-process.ts'\nawait runShared(${JSON.stringify(shared)})\n`

const environment = (settings: NodeJS.ProcessEnv, coverage: string | undefined): NodeJS.ProcessEnv => {
  const { NODE_TEST_CONTEXT: _context, NODE_COMPILE_CACHE: compiled, ...env } = { ...process.env, ...settings }
  // V8 counts less precisely in what comes from the cache.
  if (coverage !== undefined) return { ...env, NODE_V8_COVERAGE: coverage }
  return { ...env, ...(compiled === undefined ? {} : { NODE_COMPILE_CACHE: compiled }) }
}

/** Makes a copy of a checkout to try mutants in, and starts its PostgreSQL. */
export const openBench = async (root: string): Promise<Bench> => {
  const folder = await createCopy(root)
  const dataFolder = await mkdtemp(join(parent, 'stoa-mutate-data-'))
  const server = await openEmbedded({ dataFolder, mode: 'serve', durable: false, log: () => undefined })
  const settings: NodeJS.ProcessEnv = {
    ...(await makeTemplates(server)),
    NODE_COMPILE_CACHE: join(folder, 'test-results', 'compiled'),
  }
  const compiler = openCompiler(folder)
  const entry = join(folder, 'mutate-entry.mjs')
  return {
    folder,
    compiler,
    passes: async (files, { timeout, coverage }) => {
      const claims = await mkdtemp(join(folder, 'test-results', 'claims-'))
      await writeFile(entry, buildEntry({ files, claims, name: 'bench' }))
      const args = ['--test-reporter=tap', '--test-timeout=120000', entry]
      return runNode(args, { folder, env: environment(settings, coverage), timeout })
    },
    withText: async (path, text, work) => {
      const file = join(folder, path)
      const before = await readFile(file, 'utf8')
      await writeFile(file, text)
      try {
        return await work()
      } finally {
        await writeFile(file, before)
      }
    },
    close: async () => {
      compiler.close()
      await server.stop()
      for (const each of [folder, dataFolder]) await rm(each, { recursive: true, force: true })
    },
  }
}
