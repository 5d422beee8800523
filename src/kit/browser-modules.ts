import { readFileSync } from 'node:fs'
import { sha256 } from './crypto.ts'

const ROOT = new URL('../../', import.meta.url)
const FOLDER = new URL('../web/browser/', import.meta.url)
const IMPORT = /\b(?:from|import)\s*\(?\s*'((?:\.|#src\/)[^']+)'/g

/** The path below which the modules of the pages are, and no other script. */
export const MODULES = '/assets/modules/'

/** The modules that a page can load, each a file of src/web/browser. */
export const moduleNames = [
  'base',
  'in-place',
  'drafts',
  'list',
  'palette',
  'outline',
  'upload',
  'editor',
  'appearance',
] as const
/** The name of a module. */
export type ModuleName = (typeof moduleNames)[number]

/** The source of a module. */
export const locateModule = (name: ModuleName): URL => new URL(`${name}.ts`, FOLDER)

const collectSources = (file: URL, sources: Map<string, string>): Map<string, string> => {
  if (sources.has(file.href)) return sources
  const source = readFileSync(file, 'utf8')
  sources.set(file.href, source)
  for (const [, specifier = ''] of source.matchAll(IMPORT))
    collectSources(specifier.startsWith('#') ? new URL(specifier.slice(1), ROOT) : new URL(specifier, file), sources)
  return sources
}

/** Says what the bundle of a file is made of, without making it: its sources, and the versions of all packages with that of the bundler. */
export const hashSources = (file: URL): string => {
  const lockfile = readFileSync(new URL('package-lock.json', ROOT), 'utf8')
  const sources = [...collectSources(file, new Map()).values()]
  return sha256([lockfile, ...sources].join('\0'))
    .toString('hex')
    .slice(0, 16)
}

const paths = new Map<ModuleName, string>()

/** The address of a module on every host of a school; it changes with what the module is made of. */
export const readModulePath = (name: ModuleName): string => {
  const path = paths.get(name) ?? `${MODULES}${name}.${hashSources(locateModule(name))}.js`
  paths.set(name, path)
  return path
}
