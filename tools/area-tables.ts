import { lineAt, only } from './source.ts'
import type { Source } from './statements.ts'
import type { Violation } from './violations.ts'

/** Tables of the authorization server that a room may read all the same, since it tells a person what is theirs. */
const readAcross: Readonly<Record<string, readonly string[]>> = {
  clients: ['members'],
}

/** Who stands where: a room may name the tables of a lower place than its own. */
const below = ['db', 'identity', 'http', 'worker', 'world']

const NAMED = /\b(?:from|join|into|update|using)\s+([a-z_]+)\b/g
const STORED = /\binsert\s+into\s+([a-z_]+)\b/g

const placeOf = (path: string): string => {
  const [, place = '', room = ''] = path.split('/')
  return place === 'areas' ? `areas/${room}` : place
}

const sqlOf = ({ all }: Source): string => only(['template'], all)

const isQueries = ({ path }: Source): boolean => /^src\/.*(?:^|[./])queries\.ts$/.test(path)

const tablesOf = (migrations: readonly string[]): ReadonlySet<string> =>
  new Set(migrations.flatMap(text => [...text.matchAll(/\bcreate table ([a-z_]+)/g)].map(([, name = '']) => name)))

// A table belongs to where its rows are made: to a place below the rooms, else to a room.
const ownersOf = (
  sources: readonly Source[],
  tables: ReadonlySet<string>,
): ReadonlyMap<string, ReadonlySet<string>> => {
  const owners = new Map<string, Set<string>>()
  for (const source of sources) {
    for (const [, table = ''] of sqlOf(source).matchAll(STORED)) {
      if (tables.has(table)) owners.set(table, (owners.get(table) ?? new Set()).add(placeOf(source.path)))
    }
  }
  return owners
}

const wrongWith = (table: string, room: string, owners: ReadonlySet<string>): string | undefined => {
  if (owners.has(room) || owners.size === 0 || below.some(place => owners.has(place))) return undefined
  if (readAcross[table]?.includes(room.slice('areas/'.length))) return undefined
  return `the table ${table} is of ${[...owners].join(' and ')}: ask at its door`
}

/** Rooms whose SQL names a table of another room, and tables whose rows two rooms make. */
export const roomTables = (all: readonly Source[], migrations: readonly string[]): Violation[] => {
  const sources = all.filter(isQueries)
  const tables = tablesOf(migrations)
  const owners = ownersOf(sources, tables)
  const inRooms = sources.filter(({ path }) => path.startsWith('src/areas/'))
  return inRooms.flatMap(source => {
    const room = placeOf(source.path)
    return [...sqlOf(source).matchAll(NAMED)].flatMap(({ 1: table = '', index }) => {
      const makers = owners.get(table) ?? new Set()
      const isTwice = [...makers].filter(place => place.startsWith('areas/')).length > 1
      const says = isTwice ? `two rooms make rows of ${table}` : wrongWith(table, room, makers)
      return says === undefined ? [] : [{ file: source.path, line: lineAt(source.text, index), says }]
    })
  })
}
