import { lineAt, only } from './source.ts'
import type { Source } from './statements.ts'
import type { Violation } from './violations.ts'

/** Tables of other places that an area may read all the same: members shows the names of clients in a person's activity. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  clients: ['members'],
}

/** Places whose tables every area may name. */
const below = ['db', 'identity', 'http', 'worker', 'demo']

const USED = /\b(?:from|join|into|update|using)\s+([a-z_]+)\b/g
const INSERTED = /\binsert\s+into\s+([a-z_]+)\b/g

const placeOf = (path: string): string => {
  const [, place = '', area = ''] = path.split('/')
  return place === 'areas' ? `areas/${area}` : place
}

const sqlOf = ({ all }: Source): string => only(['template'], all)

const isQueries = ({ path }: Source): boolean => /^src\/.*(?:^|[./])queries\.ts$/.test(path)

const tablesOf = (migrations: readonly string[]): ReadonlySet<string> =>
  new Set(migrations.flatMap(text => [...text.matchAll(/\bcreate table ([a-z_]+)/g)].map(([, name = '']) => name)))

// A table belongs to the places that insert its rows.
const ownersOf = (
  sources: readonly Source[],
  tables: ReadonlySet<string>,
): ReadonlyMap<string, ReadonlySet<string>> => {
  const owners = new Map<string, Set<string>>()
  for (const source of sources) {
    for (const [, table = ''] of sqlOf(source).matchAll(INSERTED)) {
      if (tables.has(table)) owners.set(table, (owners.get(table) ?? new Set()).add(placeOf(source.path)))
    }
  }
  return owners
}

const messageOf = (table: string, area: string, owners: ReadonlySet<string>): string | undefined => {
  const areas = [...owners].filter(place => place.startsWith('areas/'))
  if (areas.length > 1) return `${areas.join(' and ')} both insert rows of ${table}: one of them owns it`
  if (owners.has(area) || owners.size === 0 || below.some(place => owners.has(place))) return undefined
  if (exceptions[table]?.includes(area.slice('areas/'.length))) return undefined
  return `the table ${table} belongs to ${[...owners].join(' and ')}: call a function of its index.ts`
}

/** Areas whose SQL names a table of another area, and tables whose rows two areas insert. */
export const areaTables = (all: readonly Source[], migrations: readonly string[]): Violation[] => {
  const sources = all.filter(isQueries)
  const tables = tablesOf(migrations)
  const owners = ownersOf(sources, tables)
  const inAreas = sources.filter(({ path }) => path.startsWith('src/areas/'))
  return inAreas.flatMap(source => {
    const area = placeOf(source.path)
    return [...sqlOf(source).matchAll(USED)].flatMap(({ 1: table = '', index }) => {
      const message = messageOf(table, area, owners.get(table) ?? new Set())
      return message === undefined ? [] : [{ file: source.path, line: lineAt(source.text, index), message }]
    })
  })
}
