import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { furnitureOf, grantOf, type Names, operationsName } from './area-template.ts'
import { rooms } from './check-imports.ts'
import { filesUnder, textOf } from './violations.ts'

const USAGE = `npm run new-area -- posts --thing post --prefix pst
npm run new-area -- posts/series --things post_series --thing post_series_entry --prefix psr`

const IDS = 'src/kit/ids.ts'
const GRANTS = 'migrations/grants.sql'
const WORD = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/

class Refused extends Error {}

const refuse = (says: string): never => {
  throw new Refused(says)
}

/** What somebody asked to have laid. */
export type Asked = {
  /** A room, or a room and the folder of a resource of it. */
  readonly name: string
  /** One of them, and the plural where the folder does not say it. */
  readonly thing: string
  readonly things?: string | undefined
  readonly prefix: string
}

const namesOf = (root: string, { name, thing, prefix, ...more }: Asked): Names => {
  const [room = '', resource, ...deeper] = name.split('/')
  if (!rooms.includes(room)) refuse(`${room} is no room; the rooms are ${rooms.join(', ')}`)
  if (deeper.length > 0) refuse('a room is one resource deep')
  if (resource !== undefined && !/^[a-z][a-z0-9-]*$/.test(resource)) refuse(`${resource} is no name of a folder`)
  if (!WORD.test(thing)) refuse(`--thing is one of them in snake_case, not ${thing || 'nothing'}`)
  if (!/^[a-z]{3}$/.test(prefix)) refuse('--prefix has three lower-case letters')
  const door = `src/areas/${room}/index.ts`
  if (!existsSync(join(root, door))) refuse(`${door} is missing: the door says the summary and the scopes of a room`)
  const segment = /segments: \['([^']+)'/.exec(textOf(root, door))?.[1] ?? refuse(`${door} names no segment`)
  const things = more.things ?? (resource ?? room).replaceAll('-', '_')
  if (!WORD.test(things)) refuse(`--things is the plural in snake_case, not ${things}`)
  if (things === thing) refuse(`one of the ${things} needs a name of its own`)
  return {
    room,
    folder: `src/areas/${room}${resource === undefined ? '' : `/${resource}`}`,
    things,
    thing,
    prefix,
    path: resource === undefined ? `/${segment}` : `/${segment}/${resource}`,
  }
}

const nextNumber = (root: string): string => {
  const numbered = filesUnder(root, 'migrations').filter(path => /\/\d{4}_/.test(path))
  return String(numbered.length + 1).padStart(4, '0')
}

// The door of a room that has no operations yet is opened; elsewhere a person says where in the order they stand.
const withOperations = (door: string, names: Names): string => {
  if (!/^ {2}operations: \[\],$/m.test(door)) return door
  const name = operationsName(names)
  return door
    .replace(/^ {2}operations: \[\],$/m, `  operations: ${name},`)
    .replace(/^(import \{ area \}.*\n)/m, `$1import { ${name} } from './operations.ts'\n`)
}

const withPrefix = (ids: string, prefix: string): string => {
  const [declared = ''] = /^export type IdPrefix =(?:\s*\|?\s*'[a-z]{3}')+/m.exec(ids) ?? []
  if (declared === '') refuse(`${IDS} declares no prefixes`)
  if (declared.includes(`'${prefix}'`)) refuse(`${prefix} is the prefix of other ids`)
  return ids.replace(declared, `${declared} | '${prefix}'`)
}

/** Lays the furniture of a room or a resource into a tree; gives the files that were written, or refuses and writes none. */
export const layFurniture = (root: string, asked: Asked): string[] => {
  const names = namesOf(root, asked)
  const made = furnitureOf(names, nextNumber(root))
  for (const path of Object.keys(made)) if (existsSync(join(root, path))) refuse(`${path} is there already`)
  const tables = filesUnder(root, 'migrations').map(path => textOf(root, path))
  if (tables.some(text => text.includes(`create table ${names.things} `)))
    refuse(`the table ${names.things} is there already`)
  const door = `src/areas/${names.room}/index.ts`
  const isRoom = names.folder === dirname(door)
  const changed = {
    ...made,
    [IDS]: withPrefix(textOf(root, IDS), asked.prefix),
    [GRANTS]: textOf(root, GRANTS) + grantOf(names),
    ...(isRoom ? { [door]: withOperations(textOf(root, door), names) } : {}),
  }
  for (const [path, text] of Object.entries(changed)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return Object.keys(changed)
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    options: {
      things: { type: 'string' },
      thing: { type: 'string', default: '' },
      prefix: { type: 'string', default: '' },
    },
    allowPositionals: true,
  })
  try {
    const [name, ...more] = positionals
    if (name === undefined || more.length > 0) throw new Refused(USAGE)
    for (const path of layFurniture(process.cwd(), { name, ...values })) console.log(path)
    console.log('Now: npm run format, name the operations in the door if it has others, and read the test that fails.')
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}
