import { posix } from 'node:path'
import { cycles } from './cycles.ts'
import { findProviderOrigins } from './provider-origins.ts'
import { lineAt, only, tokens } from './source.ts'
import { unusedExports } from './unused-exports.ts'
import { filesUnder, readText, report, type Violation } from './violations.ts'

/** The domains under src/areas in their order, each with its areas in theirs. */
export const domains: Readonly<Record<string, readonly string[]>> = {
  school: ['school', 'selling', 'prices', 'integrations', 'outbox', 'bin'],
  files: ['storage', 'appearance'],
  people: ['custom-fields', 'members', 'account'],
  courses: [
    'lecturers',
    'certificate-templates',
    'categories',
    'courses',
    'publication',
    'reviews',
    'contents',
    'curriculum',
    'drips',
    'lesson-versions',
    'outlines',
    'attachments',
  ],
  learning: [
    'quizzes',
    'assignments',
    'warnings',
    'access',
    'groups',
    'enrollments',
    'students',
    'progress',
    'attempts',
    'submissions',
    'due-work',
    'certificates',
  ],
  publishing: ['forms', 'form-submissions', 'comments', 'pages', 'page-bundles', 'post-categories', 'posts'],
  shop: [
    'coupons',
    'digital-products',
    'downloads',
    'payments',
    'test-payments',
    'stripe',
    'mollie',
    'invoices',
    'orders',
    'checkouts',
    'refunds',
  ],
  memberships: ['membership-plans', 'subscription-credits', 'subscriptions', 'renewals', 'subscription-changes'],
  events: ['events', 'event-dates', 'event-tickets', 'registrations'],
  apps: ['webhooks', 'changes'],
  moving: ['imports'],
  analytics: ['analytics'],
  console: ['standing', 'guide', 'today'],
}

/** The areas in their order: an area may import the areas before it and none after it. */
export const areas: readonly string[] = Object.values(domains).flat()

/** The domain of an area; undefined when it is in none. */
export const findDomain = (area: string): string | undefined =>
  Object.keys(domains).find(domain => domains[domain]?.includes(area))

/** Folders whose subfolders are units, each with an index.ts, in the order in which one may import another. */
const units: Record<string, readonly string[]> = {
  web: ['browser', 'page', 'questions', 'account', 'checkout', 'forms', 'staff', 'site', 'learn'],
}

const EVERYTHING = ['everything']

/** Who may import whom. A place is a folder of src, or a file directly in src. */
const mayImport: Record<string, readonly string[]> = {
  kit: [],
  texts: ['kit'],
  contract: ['kit', 'texts'],
  db: ['kit', 'texts', 'contract'],
  identity: ['kit', 'texts', 'contract', 'db'],
  areas: ['kit', 'texts', 'contract', 'db', 'identity', 'outbound', 'earlier areas'],
  outbound: ['kit', 'contract'],
  oauth: ['kit', 'texts', 'contract', 'db', 'identity', 'outbound'],
  http: ['kit', 'texts', 'contract', 'db'],
  web: ['kit', 'texts', 'contract', 'db', 'identity', 'areas', 'earlier units'],
  worker: ['kit', 'contract', 'db'],
  store: ['kit', 'contract'],
  print: ['kit', 'texts', 'contract'],
  demo: ['kit', 'texts', 'contract', 'db', 'identity', 'oauth', 'areas'],
  'config.ts': ['kit'],
  commands: EVERYTHING,
  'app.ts': EVERYTHING,
  'background.ts': EVERYTHING,
  'areas.ts': EVERYTHING,
  'main.ts': EVERYTHING,
}

/** Places without an entry point: their files are imported one by one. Every other folder is imported by its index.ts. */
const withoutEntryPoint = ['kit', 'contract', 'db', 'commands']

/** Folders inside such a place that have an entry point all the same. */
const innerEntryPoints = ['db/embedded']

/** What a test may import beyond what its place may. */
const TESTING = '#testing/'

type Import = { specifier: string; line: number }
type File = { path: string; imports: Import[] }

/** Where a file is: its place in the table, and the unit within which imports are relative, such as `areas/people/members`. */
type Location = { place: string; unit: string; isTest: boolean }

/** Checks every source file under src against the table above; empty when there is no violation. */
export const checkImports = (root: string): Violation[] => {
  const sources = sourcesUnder(root, 'src')
  const files = sources.map(({ path, text }) => ({ path, imports: listImports(text) }))
  const origins = sources
    .filter(({ path }) => !path.endsWith('.test.ts'))
    .flatMap(({ path, text }) => findProviderOrigins(path, text))
  return [...files.flatMap(violationsOfFile), ...cycleViolations(files), ...origins]
}

/** Checks that every export of src is imported somewhere; empty when there is no violation. */
export const checkExports = (root: string): Violation[] =>
  unusedExports(FOLDERS.flatMap(folder => sourcesUnder(root, folder)))

const FOLDERS = ['src', 'testing', 'tests', 'tools', 'bench']

const sourcesUnder = (root: string, folder: string) =>
  filesUnder(root, folder)
    .filter(path => path.endsWith('.ts'))
    .map(path => ({ path, text: readText(root, path) }))

/** Every specifier that a text imports or re-exports, of values and types, with its line. */
export const listImports = (text: string): Import[] => {
  const all = tokens(text)
  const code = only(['code'], all)
  return all
    .filter(({ kind, text }) => kind === 'string' || (kind === 'template' && /^`.*`$/s.test(text)))
    .filter(({ at }) => /(?:^|[^.\w$])(?:from|import|import\s*\()\s*$/.test(code.slice(Math.max(0, at - 200), at)))
    .map(({ text: quoted, at }) => ({ specifier: quoted.slice(1, -1), line: lineAt(text, at) }))
}

const violationsOfFile = ({ path, imports }: File): Violation[] => {
  const from = buildLocation(path)
  const unlisted = unlistedPlace(from)
  if (unlisted) return [{ file: path, line: 1, message: unlisted }]
  return imports.flatMap(({ specifier, line }) => {
    const message = findMessage(path, from, specifier)
    return message ? [{ file: path, line, message }] : []
  })
}

const unlistedPlace = ({ place, unit }: Location): string | undefined => {
  if (!mayImport[place]) return `${place} is not in the table of tools/check-imports.ts, which has ${listed(mayImport)}`
  if (place === 'areas') return unlistedArea(unit)
  const order = units[place]
  if (!order || unit === place || order.includes(nameIn(unit))) return undefined
  return `${unit} is not in the list of ${place} in tools/check-imports.ts: ${order.join(', ')}`
}

const unlistedArea = (unit: string): string | undefined => {
  const [, domain, area] = unit.split('/')
  if (domain === undefined) return undefined
  if (!domains[domain]) return `${unit} is not in the list of domains in tools/check-imports.ts: ${listed(domains)}`
  if (area === undefined || domains[domain]?.includes(area)) return undefined
  return `${unit} is not in the list of areas in tools/check-imports.ts: ${domain} has ${domains[domain]?.join(', ')}`
}

const findMessage = (path: string, from: Location, specifier: string): string | undefined => {
  if (specifier.startsWith(TESTING)) return from.isTest ? undefined : `only tests may import ${TESTING}`
  const target = resolveTarget(path, specifier)
  if (!target) return undefined
  if (!target.startsWith('src/')) return `${specifier} is outside src`
  const to = buildLocation(target)
  if (to.isTest) return `${specifier} is a test, and tests may not be imported`
  return wrongSpelling(from, to, target, specifier) ?? notAllowed(from, to) ?? deepImport(path, target)
}

const wrongSpelling = (from: Location, to: Location, target: string, specifier: string): string | undefined => {
  const isRelative = specifier.startsWith('.')
  if (from.unit !== to.unit && !isOwn(from, to))
    return isRelative ? `${specifier} is outside ${from.unit}: import #${target} instead` : undefined
  if (isRelative || from.unit === 'src') return undefined
  return `${specifier} is inside ${from.unit}: import it by a relative path`
}

// The entry point of a domain imports its areas by relative paths.
const isOwn = (from: Location, to: Location): boolean =>
  from.place === 'areas' && from.unit !== 'areas' && to.unit.startsWith(`${from.unit}/`)

/** What runs in a browser: its files import each other and pure ones of the kit, and nothing on the server imports them. */
const BROWSER = 'web/browser'

const notInBrowser = (from: Location, to: Location): string | undefined => {
  if (from.unit === to.unit) return undefined
  if (to.unit === BROWSER) return `${formatName(from)} may not import ${BROWSER}, which runs in a browser`
  return to.place === 'kit' ? undefined : `${BROWSER} may import only its own files, kit and packages`
}

const notAllowed = (from: Location, to: Location): string | undefined => {
  if (from.unit === BROWSER || to.unit === BROWSER) return notInBrowser(from, to)
  const allowed = mayImport[from.place] ?? []
  if (allowed === EVERYTHING) return undefined
  if (from.place === to.place) return wrongOrder(from, to)
  if (allowed.includes(to.place)) return undefined
  return `${formatName(from)} may not import ${formatName(to)}: ${buildRow(from.place)}`
}

// The entry point of a domain comes after its areas.
const buildOrder = (unit: string): number => {
  const [, domain = '', area] = unit.split('/')
  return area === undefined ? areas.indexOf(domains[domain]?.at(-1) ?? '') + 0.5 : areas.indexOf(area)
}

const wrongAreaOrder = (from: Location, to: Location): string | undefined => {
  if (to.unit === 'areas') return undefined
  if (from.unit === 'areas') return `files directly in src/areas may not import ${to.unit}`
  const there = buildOrder(to.unit)
  return there >= 0 && there < buildOrder(from.unit)
    ? undefined
    : `${from.unit} may not import ${to.unit}: ${buildRow('areas')}`
}

// Between two units of one place, the order decides; files beside the units are shared by them and import none of them.
const wrongOrder = (from: Location, to: Location): string | undefined => {
  if (from.unit === to.unit) return undefined
  if (from.place === 'areas') return wrongAreaOrder(from, to)
  const order = units[from.place]
  if (!order || to.unit === to.place) return undefined
  if (from.unit === from.place) return `files directly in src/${from.place} may not import ${to.unit}`
  const [here, there] = [from.unit, to.unit].map(unit => order.indexOf(nameIn(unit)))
  if (here !== undefined && there !== undefined && there !== -1 && there < here) return undefined
  return `${from.unit} may not import ${to.unit}: ${buildRow(from.place)}`
}

// Inside its domain an area is imported by its own entry point, from elsewhere by that of the domain.
const deepAreaImport = (path: string, target: string): string | undefined => {
  const { unit } = buildLocation(target)
  if (unit === 'areas' || buildLocation(path).unit === unit) return undefined
  const domain = `src/${unit.split('/').slice(0, 2).join('/')}/`
  const entry = path.startsWith(domain) ? `src/${unit}/index.ts` : `${domain}index.ts`
  return target === entry ? undefined : `${target} is internal: import ${entry}`
}

const deepImport = (path: string, target: string): string | undefined => {
  const { place, unit } = buildLocation(target)
  if (place === 'areas') return deepAreaImport(path, target)
  if (place in units && unit === place) {
    return buildLocation(path).place === place ? undefined : `${target} is shared by the units of ${place} alone`
  }
  const isOpen = unit === 'src' || withoutEntryPoint.includes(place)
  const folder = (isOpen ? innerEntryPoints : [unit])
    .map(name => `src/${name}/`)
    .find(start => target.startsWith(start))
  if (!folder || path.startsWith(folder) || target === `${folder}index.ts`) return undefined
  return `${target} is internal: import ${folder}index.ts`
}

const buildLocation = (path: string): Location => {
  const [, first = '', second = '', ...rest] = path.split('/')
  const isTest = path.endsWith('.test.ts')
  if (first === 'areas') return { place: first, unit: path.split('/').slice(1, -1).slice(0, 3).join('/'), isTest }
  if (second === '') return { place: first, unit: 'src', isTest }
  return { place: first, unit: first in units && rest.length > 0 ? `${first}/${second}` : first, isTest }
}

// What a place may import, as the second half of a message.
const buildRow = (place: string): string => {
  const order = place === 'areas' ? areas : units[place]
  const subject = place === 'areas' ? 'an area' : order ? `a unit of ${place}` : place
  const allowed = (mayImport[place] ?? []).map(name => name.replace(/^earlier (.*)/, '$1 before it'))
  if (allowed.length === 0) return `${subject} may import only its own files and packages`
  const told = order ? `; the order is ${order.join(', ')}` : ''
  return `${subject} may import only ${allowed.join(', ')}${told}`
}

const listed = (table: object): string => Object.keys(table).join(', ')

const nameIn = (unit: string): string => unit.split('/')[1] ?? ''

const formatName = ({ place, unit }: Location): string => (unit === 'src' ? place : unit)

const resolveTarget = (path: string, specifier: string): string | undefined => {
  if (specifier.startsWith('#')) return specifier.slice(1)
  if (specifier.startsWith('.')) return posix.join(posix.dirname(path), specifier)
  return undefined
}

const cycleViolations = (files: File[]): Violation[] => {
  const paths = new Set(files.map(file => file.path))
  const edges = files.map(({ path, imports }) => {
    const targets = imports.map(({ specifier, line }) => ({ to: resolveTarget(path, specifier) ?? '', line }))
    return [path, targets.filter(({ to }) => paths.has(to))] as const
  })
  return cycles(new Map(edges)).map(({ path, line }) => ({
    file: path[0] ?? '',
    line,
    message: `import cycle: ${path.join(' → ')}`,
  }))
}

if (import.meta.main) {
  const root = process.argv[2] ?? process.cwd()
  report(`imports: ${filesUnder(root, 'src').length} files import only what they may`, [
    ...checkImports(root),
    ...checkExports(root),
  ])
}
