import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'

const SOURCES = ['src/**/*.ts', 'testing/**/*.ts', 'tests/**/*.ts', 'tools/**/*.ts']

// What loads the whole product, and the entry points of areas: nearly every test imports them, so what they import says nothing. Such a
// test is chosen by the routes that it calls.
const WHOLE =
  /^src\/(?:[\w-]+\.ts|commands\/|demo\/|web\/(?:[\w-]+\/)?index\.ts)|^src\/areas\/(?:[\w-]+\/){0,2}index\.ts$/

const IMPORT = /(?:from|import|import\()\s*'([#.][^']+)'/g
const ROUTE = /'(?:(?:GET|POST|PUT|PATCH|DELETE) )?(\/[\w:/-]+)'/g
const OPERATION = /\bid: '(\w+)'/g

/** A tree of files: the texts of those that exist, by their paths. */
export type Tree = ReadonlyMap<string, string>

const resolveTarget = (file: string, specifier: string): string =>
  specifier.startsWith('#') ? specifier.slice(1) : posix.join(posix.dirname(file), specifier)

const isTest = (file: string): boolean => file.endsWith('.test.ts')

/** Returns the files that import each file. */
const importersIn = (tree: Tree): ReadonlyMap<string, readonly string[]> => {
  const importers = new Map<string, string[]>()
  for (const [file, text] of tree)
    for (const [, specifier = ''] of text.matchAll(IMPORT)) {
      const target = resolveTarget(file, specifier)
      importers.set(target, [...(importers.get(target) ?? []), file])
    }
  return importers
}

const reach = (changed: readonly string[], importers: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> => {
  const reached = new Set(changed)
  // A file that loads the whole product counts when it is changed itself, not when something in the product is.
  for (const file of reached)
    if (!WHOLE.test(file) || changed.includes(file)) for (const each of importers.get(file) ?? []) reached.add(each)
  return reached
}

/** The folder of the smallest unit that a file of the product belongs to: the nearest one with an entry point. */
const findUnit = (file: string, tree: Tree): string => {
  for (let folder = posix.dirname(file); folder.startsWith('src/'); folder = posix.dirname(folder))
    if (tree.has(`${folder}/index.ts`)) return folder
  return posix.dirname(file)
}

// A test names `/courses/${id}/lecturers` where the route is `/courses/:course_id/lecturers`.
const buildCall = (route: string): RegExp => {
  const path = route.replace(/[-]/g, '\\$&').replace(/:\w+/g, '[^/\\s]+?')
  return new RegExp(`['"\`}/\\w]?${path}(?![\\w-])(?!/[\\w$])`)
}

const inFolder = (folder: string, tree: Tree): readonly (readonly [string, string])[] =>
  [...tree].filter(([file]) => file.startsWith(`${folder}/`))

const joinTexts = (files: readonly string[], tree: Tree): string => files.map(file => tree.get(file) ?? '').join('\n')

/** What a change can affect. */
export type Affected = {
  readonly tests: readonly string[]
  /** The ids of the operations of the changed areas, to which the derived suites are narrowed. */
  readonly operations: readonly string[]
}

/** Returns the tests that changed files can affect: those that reach one by imports, stand beside one, or call one of its routes. */
export const findAffected = (changed: readonly string[], tree: Tree): Affected => {
  const reached = reach(changed, importersIn(tree))
  const sources = changed.filter(file => /^src\/.*\.ts$/.test(file) && !isTest(file))
  const units = [...new Set(sources.map(file => findUnit(file, tree)))].filter(unit => unit.split('/').length > 2)
  const tests = new Set([...reached].filter(file => isTest(file) && tree.has(file)))
  for (const unit of units) for (const [file] of inFolder(unit, tree)) if (isTest(file)) tests.add(file)
  const areas = units.filter(unit => unit.startsWith('src/areas/'))
  const own = areas.flatMap(unit => inFolder(unit, tree).filter(([file]) => !isTest(file)))
  const operations = own.flatMap(([, text]) => [...text.matchAll(OPERATION)].map(([, id = '']) => id))
  const routed = [...own.map(([file]) => file), ...sources.filter(file => file.startsWith('src/web/'))]
  const routes = [...joinTexts(routed, tree).matchAll(ROUTE)].map(([, route = '']) => route)
  // A path of one segment without a parameter, such as that of a list, is in too many texts to tell anything.
  const calls = [...new Set(routes)].filter(route => route.split('/').length > 2).map(buildCall)
  for (const [file, text] of tree) if (isTest(file) && calls.some(call => call.test(text))) tests.add(file)
  return { tests: [...tests].sort(), operations: [...new Set(operations)].sort() }
}

/** The suites that are derived from the declared operations. */
export const DERIVED: readonly string[] = ['allowed-actions', 'edges', 'foreign', 'fuzz', 'matrix', 'personal'].map(
  name => `tests/${name}.test.ts`,
)

const readTree = (): Tree =>
  new Map(globSync(SOURCES).map(file => [file.replaceAll('\\', '/'), readFileSync(file, 'utf8')]))

const git = (...args: readonly string[]): string[] =>
  execFileSync('git', args, { encoding: 'utf8' })
    .split('\n')
    .filter(line => line !== '')

/** Returns the tests that changes since a commit can affect, those that are not committed included. */
export const findChanged = (base: string): Affected => {
  const changed = [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')]
  return findAffected(changed.filter(existsSync), readTree())
}
