import {
  areaLayout,
  areaSizes,
  namedContexts,
  namesWithoutVerb,
  secondKits,
  unnamedParts,
  vagueDeclarations,
  vaguePath,
} from './area-layout.ts'
import { areaTables } from './area-tables.ts'
import { undocumentedExports, unlistedOperations, unrecordedWrites } from './declarations.ts'
import { exportedStatements } from './entry-points.ts'
import { hookDeclarations } from './hooks.ts'
import { migrationNames, triggersWhileLoading } from './migration-names.ts'
import { tokens } from './source.ts'
import {
  clockReads,
  environmentReads,
  migrationClock,
  type Source,
  sqlClock,
  sqlOutsideQueries,
  sqlReadings,
} from './statements.ts'
import { subSelectsWithoutSchool, tablesOfSchools } from './sub-selects.ts'
import { filesUnder, fileViolation, lineCount, readText, report, type Violation } from './violations.ts'

const MAX_LINES = 300
const REASON = /^\/\/ One thing: \S/

const longFiles = ({ path, text }: Source): Violation[] => {
  const lines = lineCount(text)
  if (lines <= MAX_LINES || REASON.test(text)) return []
  return fileViolation(
    path,
    `a file has at most ${MAX_LINES} lines, not ${lines}: split it, or begin it with "// One thing: <reason>"`,
  )
}

/** What every file of src is checked for; the rules are in area-layout, declarations and statements. */
const fileRules = [
  sqlOutsideQueries,
  sqlClock,
  sqlReadings,
  clockReads,
  environmentReads,
  vagueDeclarations,
  namedContexts,
  namesWithoutVerb,
  secondKits,
  unnamedParts,
  longFiles,
  undocumentedExports,
  unrecordedWrites,
]

/** What is checked over all files of src together. */
const treeRules = [unlistedOperations, hookDeclarations, exportedStatements]

/** Checks the layout of areas, names, operations, hooks, SQL, tables, clocks, sizes and migrations of a tree. */
export const checkAreas = (root: string): Violation[] => {
  const paths = filesUnder(root, 'src')
  const sources = readSources(root)
  const migrations = filesUnder(root, 'migrations')
  const migrationTexts = migrations.map(path => readText(root, path))
  return [
    ...areaLayout(paths),
    ...paths.flatMap(vaguePath),
    ...sources.flatMap(source => fileRules.flatMap(rule => rule(source))),
    ...treeRules.flatMap(rule => rule(sources)),
    ...sources.flatMap(subSelectsWithoutSchool(tablesOfSchools(migrationTexts))),
    ...areaTables(sources, migrationTexts),
    ...migrationNames(migrations),
    ...triggersWhileLoading(migrations.map((path, at) => ({ path, text: migrationTexts[at] ?? '' }))),
    ...migrations.flatMap(path => migrationClock(path, readText(root, path))),
  ]
}

/** What the command prints when there is no violation: how many files there are, and the five largest areas. */
export const formatSummary = (root: string): string => {
  const largest = areaSizes(readSources(root))
    .slice(0, 5)
    .map(({ name, lines, linesWithTests }) => `${name} ${lines} lines (${linesWithTests} with tests)`)
  const files = `areas: ${filesUnder(root, 'src').length} files keep the rules`
  return largest.length === 0 ? files : `${files}; the largest areas: ${largest.join(', ')}`
}

const readSources = (root: string): Source[] =>
  filesUnder(root, 'src')
    .filter(path => path.endsWith('.ts'))
    .map(path => {
      const text = readText(root, path)
      return { path, text, all: tokens(text) }
    })

if (import.meta.main) {
  const root = process.argv[2] ?? process.cwd()
  report(formatSummary(root), checkAreas(root))
}
