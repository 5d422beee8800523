import { posix } from 'node:path'
import { circles } from './cycles.ts'
import { lineAt, only, tokens } from './source.ts'
import { filesUnder, report, textOf, type Violation } from './violations.ts'

/** The rooms under src/areas in their order: a room knows the doors of those before it and of none after it. */
export const rooms = [
  ...['school', 'members', 'storage', 'appearance', 'lecturers', 'courses', 'curriculum', 'entitlements'],
  ...['students', 'digital_products', 'membership_plans', 'coupons', 'events', 'orders', 'subscriptions'],
  ...['posts', 'pages', 'forms', 'comments', 'analytics', 'account'],
]

const everything = ['everything']

/** Who may import whom. A place is a folder of src, or a file that stands directly in src. */
const mayImport: Record<string, string[]> = {
  kit: [],
  contract: ['kit'],
  db: ['kit', 'contract'],
  identity: ['kit', 'contract', 'db'],
  areas: ['kit', 'contract', 'db', 'identity', 'earlier areas'],
  oauth: ['kit', 'contract', 'db', 'identity'],
  http: ['kit', 'contract', 'db'],
  portal: ['kit', 'contract', 'db', 'identity', 'areas'],
  staff: ['kit', 'contract', 'db', 'identity', 'areas', 'portal'],
  worker: ['kit', 'contract', 'db'],
  store: ['kit', 'contract'],
  print: ['kit', 'contract'],
  world: ['kit', 'contract', 'db', 'identity', 'oauth', 'areas'],
  config: ['kit'],
  commands: everything,
  app: everything,
  background: everything,
  rooms: everything,
  main: everything,
}

/** Places without a door: their files are imported one by one. Every other folder is entered by its index.ts. */
const withoutDoor = ['kit', 'contract', 'db', 'commands']

/** Folders inside such a place that have a door all the same. */
const innerDoors = ['db/embedded']

/** What a test may import beyond what its place may. */
const forTests = '#testing/'

type Import = { specifier: string; line: number }
type File = { path: string; imports: Import[] }
type Spot = { place: string; unit: string; test: boolean }

/** Holds every source file under src to the table above; the answer is empty when all is well. */
export const checkImports = (root: string): Violation[] => {
  const files = filesUnder(root, 'src')
    .filter(path => path.endsWith('.ts'))
    .map(path => ({ path, imports: importsOf(textOf(root, path)) }))
  return [...files.flatMap(fileViolations), ...circleViolations(files)]
}

/** Every specifier that a text imports or re-exports, for types too, with the line on which it stands. */
export const importsOf = (text: string): Import[] => {
  const all = tokens(text)
  const code = only(['code'], all)
  return all
    .filter(({ kind, text }) => kind === 'string' || (kind === 'template' && /^`.*`$/s.test(text)))
    .filter(({ at }) => /(?:^|[^.\w$])(?:from|import|import\s*\()\s*$/.test(code.slice(Math.max(0, at - 200), at)))
    .map(({ text: quoted, at }) => ({ specifier: quoted.slice(1, -1), line: lineAt(text, at) }))
}

const fileViolations = ({ path, imports }: File): Violation[] => {
  const from = spotOf(path)
  if (!mayImport[from.place]) {
    return [{ file: path, line: 1, says: `${from.place} is in no line of the table of who may import whom` }]
  }
  return imports.flatMap(({ specifier, line }) => {
    const says = wrongWith(path, from, specifier)
    return says ? [{ file: path, line, says }] : []
  })
}

const wrongWith = (path: string, from: Spot, specifier: string): string | undefined => {
  if (specifier.startsWith(forTests)) return from.test ? undefined : 'only a test may import #testing/'
  const target = targetOf(path, specifier)
  if (!target) return undefined
  if (!target.startsWith('src/')) return `${specifier} leads out of src`
  const to = spotOf(target)
  if (to.test) return `${specifier} is a test, and nobody imports a test`
  return wrongSpelling(from, to, specifier) ?? notAllowed(from, to) ?? closedDoor(path, target)
}

const wrongSpelling = (from: Spot, to: Spot, specifier: string): string | undefined => {
  const relative = specifier.startsWith('.')
  if (from.unit !== to.unit) return relative ? `${specifier} leads out of ${from.unit}: write #src/…` : undefined
  if (relative || from.unit === 'src') return undefined
  return `inside ${from.unit} write a relative path instead of ${specifier}`
}

const notAllowed = (from: Spot, to: Spot): string | undefined => {
  const allowed = mayImport[from.place] ?? []
  if (from.unit === to.unit && from.place === to.place) return undefined
  if (allowed === everything || allowed.includes(to.place)) return undefined
  if (to.place !== 'areas' || !allowed.includes('earlier areas')) {
    return `${nameOf(from)} may not import ${nameOf(to)}, only ${allowed.join(', ') || 'files of its own'}`
  }
  const [here, there] = [from.unit, to.unit].map(unit => rooms.indexOf(unit.slice('areas/'.length)))
  if (here !== undefined && there !== undefined && there !== -1 && there < here) return undefined
  return `${from.unit} may not import ${to.unit}, which does not stand before it in the order of rooms`
}

const closedDoor = (path: string, target: string): string | undefined => {
  const { place, unit } = spotOf(target)
  const behindDoor = unit === 'src' || withoutDoor.includes(place) ? innerDoors : [unit]
  const folder = behindDoor.map(name => `src/${name}/`).find(start => target.startsWith(start))
  if (!folder || path.startsWith(folder) || target === `${folder}index.ts`) return undefined
  return `${folder} is entered by its index.ts alone, not by ${target.slice(folder.length)}`
}

const spotOf = (path: string): Spot => {
  const [, first = '', second = '', ...rest] = path.split('/')
  const test = path.endsWith('.test.ts')
  if (second === '') return { place: first.split('.')[0] ?? first, unit: 'src', test }
  if (first === 'areas' && rest.length > 0) return { place: first, unit: `${first}/${second}`, test }
  return { place: first, unit: first, test }
}

const nameOf = ({ place, unit }: Spot) => (unit === 'src' ? place : unit)

const targetOf = (path: string, specifier: string): string | undefined => {
  if (specifier.startsWith('#')) return specifier.slice(1)
  if (specifier.startsWith('.')) return posix.join(posix.dirname(path), specifier)
  return undefined
}

const circleViolations = (files: File[]): Violation[] => {
  const known = new Set(files.map(file => file.path))
  const edges = files.map(({ path, imports }) => {
    const targets = imports.map(({ specifier, line }) => ({ to: targetOf(path, specifier) ?? '', line }))
    return [path, targets.filter(({ to }) => known.has(to))] as const
  })
  return circles(new Map(edges)).map(({ path, line }) => ({
    file: path[0] ?? '',
    line,
    says: `imports go in a circle: ${path.join(' → ')}`,
  }))
}

if (import.meta.main) {
  const root = process.argv[2] ?? process.cwd()
  report(`imports: ${filesUnder(root, 'src').length} files keep to who may import whom`, checkImports(root))
}
