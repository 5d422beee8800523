import { areas } from './check-imports.ts'
import { lineAt, only } from './source.ts'
import type { Source } from './statements.ts'
import type { Violation } from './violations.ts'

/**
 * Tables of later areas that an area reads: members shows the apps of an activity and the groups of a member, and finds who is
 * enrolled in a course; a template is in use by courses; plans open paid posts; a file is in use by lessons and their attachments; the credit of a
 * subscription is locked with it.
 */
const readers: Readonly<Record<string, readonly string[]>> = {
  clients: ['members'],
  courses: ['certificate-templates'],
  enrollments: ['members'],
  group_members: ['members'],
  groups: ['members'],
  lesson_attachments: ['contents'],
  lessons: ['contents'],
  membership_plans: ['posts'],
  past_group_members: ['members'],
  subscriptions: ['subscription-credits'],
}

/**
 * Tables of other areas that an area writes: the first version of a copied lesson becomes its current one with the copy,
 * progress is stored with the enrollment, a page names the deployment that is live, and a subscription has the sum of its credit.
 */
const writers: Readonly<Record<string, readonly string[]>> = {
  enrollments: ['progress'],
  lessons: ['contents'],
  pages: ['page-bundles'],
  subscriptions: ['subscription-credits'],
}

/** Tables that areas write through db: work for the worker, facts and audit entries. */
const shared = ['audit_log', 'facts', 'jobs']

/** Places whose tables every area may name. */
const below = ['db', 'identity', 'http', 'worker', 'demo']

const USED = /\b(from|join|into|update|using|delete\s+from)\s+([a-z_]+)\b/g
const INSERTED = /\binsert\s+into\s+([a-z_]+)\b/g

const parsePlace = (path: string): string => {
  const [, place = '', , area = ''] = path.split('/')
  return place === 'areas' ? `areas/${area}` : place
}

const readSql = ({ all }: Source): string => only(['template'], all)

const isQueries = ({ path }: Source): boolean => /^src\/.*(?:^|[./])queries\.ts$/.test(path)

const listTables = (migrations: readonly string[]): ReadonlySet<string> =>
  new Set(migrations.flatMap(text => [...text.matchAll(/\bcreate table ([a-z_]+)/g)].map(([, name = '']) => name)))

// A table belongs to the places that insert its rows.
const listOwners = (
  sources: readonly Source[],
  tables: ReadonlySet<string>,
): ReadonlyMap<string, ReadonlySet<string>> => {
  const owners = new Map<string, Set<string>>()
  for (const source of sources) {
    for (const [, table = ''] of readSql(source).matchAll(INSERTED)) {
      if (tables.has(table)) owners.set(table, (owners.get(table) ?? new Set()).add(parsePlace(source.path)))
    }
  }
  return owners
}

const isEarlier = (owner: string, area: string): boolean => {
  const [one, other] = [owner, area].map(place => areas.indexOf(place.slice('areas/'.length)))
  return one !== undefined && other !== undefined && one !== -1 && one < other
}

type Use = { readonly table: string; readonly area: string; readonly reads: boolean }

const findMessage = ({ table, area, reads }: Use, owners: ReadonlySet<string>): string | undefined => {
  if (shared.includes(table)) return undefined
  const inAreas = [...owners].filter(place => place.startsWith('areas/'))
  if (inAreas.length > 1) return `${inAreas.join(' and ')} both insert rows of ${table}: one of them owns it`
  if (owners.has(area) || owners.size === 0 || below.some(place => owners.has(place))) return undefined
  if ((reads ? readers : writers)[table]?.includes(area.slice('areas/'.length))) return undefined
  if (!reads) return `the table ${table} belongs to ${[...owners].join(' and ')}, which alone writes it`
  if (inAreas.length > 0 && inAreas.every(owner => isEarlier(owner, area))) return undefined
  return `the table ${table} belongs to ${[...owners].join(' and ')}, which is not an earlier area`
}

/** Areas whose SQL writes a table of another area or reads one of a later area, and tables whose rows two areas insert. */
export const areaTables = (all: readonly Source[], migrations: readonly string[]): Violation[] => {
  const sources = all.filter(isQueries)
  const tables = listTables(migrations)
  const owners = listOwners(sources, tables)
  const inAreas = sources.filter(({ path }) => path.startsWith('src/areas/'))
  return inAreas.flatMap(source => {
    const area = parsePlace(source.path)
    return [...readSql(source).matchAll(USED)].flatMap(({ 1: keyword = '', 2: table = '', index }) => {
      const use = { table, area, reads: /^(?:from|join|using)$/.test(keyword) }
      const message = findMessage(use, owners.get(table) ?? new Set())
      return message === undefined ? [] : [{ file: source.path, line: lineAt(source.text, index), message }]
    })
  })
}
