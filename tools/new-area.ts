import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Names } from './area-names.ts'
import { buildFactLines, buildFiles, buildGrant } from './area-template.ts'
import { areas, findDomain } from './check-imports.ts'
import { nextMigrationNumber } from './migration-names.ts'
import { filesUnder, readText } from './violations.ts'

const USAGE = `npm run new-area -- coupons --thing coupon --prefix cpn
npm run new-area -- courses/series --things course_series --thing course_in_series --prefix csr
  --thing   one of them, in snake_case
  --things  the plural, where the name of the area or folder is not it
  --prefix  the three letters before the ids
  --scope   what is before :read and :write in the scopes, where the name of the area is not it`

const IDS = 'src/kit/ids.ts'
const GRANTS = 'migrations/grants.sql'
const FACTS_BEGIN = /^export const \w+Facts = \{\n/m
const SCOPES = /^src\/contract\/scopes\.ts$/
const WORD = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/

class ScaffoldError extends Error {}

const refuse = (message: string): never => {
  throw new ScaffoldError(message)
}

/** What to create. */
export type ScaffoldRequest = {
  /** An area, or an area and the folder of one of its resources. */
  readonly name: string
  /** One of them, and the plural where the name does not say it. */
  readonly thing: string
  readonly things?: string | undefined
  readonly prefix: string
  readonly scope?: string | undefined
}

const listNames = (root: string, { name, thing, prefix, ...rest }: ScaffoldRequest): Names => {
  const [area = '', resource, ...deeper] = name.split('/')
  if (!areas.includes(area)) {
    refuse(`${area} is not in the list of areas in tools/check-imports.ts; add it at its place: ${areas.join(', ')}`)
  }
  if (deeper.length > 0) refuse('an area has one level of folders')
  if (resource !== undefined && !/^[a-z][a-z0-9-]*$/.test(resource)) refuse(`${resource} is not the name of a folder`)
  if (!WORD.test(thing)) refuse(`--thing is one of them in snake_case, not ${thing || 'nothing'}`)
  if (!/^[a-z]{3}$/.test(prefix)) refuse('--prefix has three lower-case letters')
  const things = rest.things ?? (resource ?? area).replaceAll('-', '_')
  if (!WORD.test(things)) refuse(`--things is the plural in snake_case, not ${things}`)
  if (things === thing) refuse(`--thing and --things are both ${thing}: give --things`)
  return {
    area,
    isArea: resource === undefined,
    folder: `src/areas/${findDomain(area)}/${name}`,
    things,
    thing,
    prefix,
    path: resource === undefined ? `/${area}` : `/${readSegment(root, area)}/${resource}`,
    scope: readScope(root, rest.scope ?? area.replaceAll('-', '_')),
  }
}

// The first segment of the paths of an area that exists.
const readSegment = (root: string, area: string): string => {
  const entryPoint = `src/areas/${findDomain(area)}/${area}/index.ts`
  if (!existsSync(join(root, entryPoint))) refuse(`${entryPoint} does not exist: create the area before its resources`)
  return area
}

const readScope = (root: string, scope: string): string => {
  const texts = filesUnder(root, 'src')
    .filter(path => SCOPES.test(path))
    .map(path => readText(root, path))
  for (const name of [`${scope}:read`, `${scope}:write`]) {
    if (!texts.some(text => text.includes(`'${name}'`)))
      refuse(`the scope ${name} is not declared: give another --scope`)
  }
  return scope
}

const withPrefix = (ids: string, prefix: string): string => {
  const [declared = ''] = /^const PREFIXES = \[(?:\s*'[a-z]{3}',)+/m.exec(ids) ?? []
  if (declared === '') refuse(`${IDS} declares no prefixes`)
  if (declared.includes(`'${prefix}'`)) refuse(`the prefix ${prefix} is in use`)
  return ids.replace(declared, `${declared}\n  '${prefix}',`)
}

// The file of the section that declares its facts.
const locateFacts = ({ scope }: Names): string => `src/contract/facts/${scope.replaceAll('_', '-')}.ts`

const withFacts = (facts: string, names: Names): string => {
  if (!FACTS_BEGIN.test(facts)) refuse(`${locateFacts(names)} declares no facts`)
  const imported = facts.includes('FieldNames') ? facts : facts.replace('declareFacts', 'declareFacts, FieldNames')
  return imported.replace(FACTS_BEGIN, begin => `${begin}${buildFactLines(names)}`)
}

/** Creates the files of an area or a resource in a tree and returns their paths, or throws and writes nothing. */
export const scaffoldArea = (root: string, request: ScaffoldRequest): string[] => {
  const names = listNames(root, request)
  const created = buildFiles(names, nextMigrationNumber(filesUnder(root, 'migrations')))
  for (const path of Object.keys(created)) if (existsSync(join(root, path))) refuse(`${path} already exists`)
  const migrations = filesUnder(root, 'migrations').map(path => readText(root, path))
  if (migrations.some(text => text.includes(`create table ${names.things} `)))
    refuse(`the table ${names.things} already exists`)
  const written = {
    ...created,
    [IDS]: withPrefix(readText(root, IDS), request.prefix),
    [GRANTS]: readText(root, GRANTS) + buildGrant(names),
    [locateFacts(names)]: withFacts(readText(root, locateFacts(names)), names),
  }
  for (const [path, text] of Object.entries(written)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return Object.keys(written)
}

const nextStep = (name: string): string => {
  const [area = '', resource] = name.split('/')
  const domain = `src/areas/${findDomain(area)}`
  const toList =
    resource === undefined ? `the area in ${domain}/index.ts` : `the operations in ${domain}/${area}/index.ts`
  return `Next: npm run format, list ${toList}, and decide what the test that fails asks.`
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    options: {
      things: { type: 'string' },
      thing: { type: 'string', default: '' },
      prefix: { type: 'string', default: '' },
      scope: { type: 'string' },
    },
    allowPositionals: true,
  })
  try {
    const [name, ...more] = positionals
    if (name === undefined || more.length > 0) throw new ScaffoldError(USAGE)
    for (const path of scaffoldArea(process.cwd(), { name, ...values })) console.log(path)
    console.log(nextStep(name))
  } catch (error) {
    if (!(error instanceof ScaffoldError)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}
