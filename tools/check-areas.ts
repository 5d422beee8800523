import { emptyDeclarations, emptyPath, migrationNames, roomFurniture } from './area-layout.ts'
import { roomTables } from './area-tables.ts'
import { unexplained, unlisted, untold } from './declarations.ts'
import { tokens } from './source.ts'
import { clockReads, environmentReads, migrationClock, sqlClock, sqlOutsideQueries, sqlReadings } from './statements.ts'
import { subSelectsWithoutSchool, tablesOfSchools } from './sub-selects.ts'
import { filesUnder, report, textOf, type Violation, whole } from './violations.ts'

const longest = 300
const oneThing = /^\/\/ One thing: \S/

const tooLong = ({ path, text }: { path: string; text: string }): Violation[] => {
  const lines = text.trimEnd().split('\n').length
  if (lines <= longest || oneThing.test(text)) return []
  return whole(path, `${lines} lines are too many: cut it in two, or begin it with "// One thing: <reason>"`)
}

/** What every file of src is held to; names stand in furniture.ts, SQL and clocks in statements.ts, operations in declarations.ts. */
const rulesOfFiles = [
  sqlOutsideQueries,
  sqlClock,
  sqlReadings,
  clockReads,
  environmentReads,
  emptyDeclarations,
  tooLong,
  unexplained,
  unlisted,
  untold,
]

/** Holds a tree to the rules about rooms, names, operations, SQL, tables, clocks, sizes and migrations; empty when all is well. */
export const checkRooms = (root: string): Violation[] => {
  const paths = filesUnder(root, 'src')
  const sources = paths.filter(path => path.endsWith('.ts')).map(path => sourceOf(root, path))
  const migrations = filesUnder(root, 'migrations')
  const migrationTexts = migrations.map(path => textOf(root, path))
  const ofSchools = tablesOfSchools(migrationTexts)
  return [
    ...roomFurniture(paths),
    ...paths.flatMap(emptyPath),
    ...sources.flatMap(source => rulesOfFiles.flatMap(rule => rule(source))),
    ...sources.flatMap(subSelectsWithoutSchool(ofSchools)),
    ...roomTables(sources, migrationTexts),
    ...migrationNames(migrations),
    ...migrations.flatMap(path => migrationClock(path, textOf(root, path))),
  ]
}

const sourceOf = (root: string, path: string) => {
  const text = textOf(root, path)
  return { path, text, all: tokens(text) }
}

if (import.meta.main) {
  const root = process.argv[2] ?? process.cwd()
  report(`rooms: ${filesUnder(root, 'src').length} files keep to the rules of rooms`, checkRooms(root))
}
