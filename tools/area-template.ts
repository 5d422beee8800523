/** What a room or a resource of one is called in all the places where it has a name. */
export type Names = {
  readonly room: string
  /** The folder below the root of the tree. */
  readonly folder: string
  /** The plural, as table and file speak of it: `membership_plans`. */
  readonly things: string
  /** One of them: `membership_plan`. */
  readonly thing: string
  readonly prefix: string
  /** Below `/api/v1`. */
  readonly path: string
}

const words = (name: string): string => name.replaceAll('_', ' ')
const pascal = (name: string): string => name.replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
const camel = (name: string): string => pascal(name).replace(/^./, letter => letter.toLowerCase())

const schema = ({ thing, things, prefix }: Names): string => `import Type from 'typebox'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { Changes } from '#src/kit/patch.ts'
import { AllowedActions, Id, Instant, Line, Ref, Revision } from '#src/kit/shapes.ts'
import { LONGEST_NAME } from './rules.ts'

/** What is written about a ${words(thing)}. */
export const ${pascal(thing)}Settings = Type.Object(
  { name: Line(LONGEST_NAME, 'What it is called') },
  { additionalProperties: false, title: 'New${pascal(thing)}' },
)

/** One of the ${words(things)}. */
export const ${pascal(thing)} = Type.Object(
  {
    id: Id('${prefix}'),
    name: ${pascal(thing)}Settings.properties.name,
    revision: Revision,
    allowed_actions: Type.Optional(AllowedActions),
    created_at: Instant,
    updated_at: Instant,
  },
  { additionalProperties: false, title: '${pascal(thing)}' },
)

/** A change of a ${words(thing)}. */
export const ${pascal(thing)}Changes = Changes(${pascal(thing)}Settings, '${pascal(thing)}Changes')

/** One page of the ${words(things)}. */
export const ${pascal(thing)}Page = PageOf(${pascal(thing)}, '${pascal(thing)}Page')

/** What the list of ${words(things)} can be asked. */
export const ${pascal(thing)}Query = Type.Object({ ...PageQuery })

/** What a ${words(thing)} can be named by in a path. */
export const ${pascal(thing)}Path = Type.Object({ ${thing}_id: Ref('${prefix}') })
`

const rules = ({ thing }: Names): string => `import { cleanLine } from '#src/kit/text.ts'

/** The longest name, in characters. */
export const LONGEST_NAME = 120

/** What is stored of a ${words(thing)} as it was written. */
export type ${pascal(thing)}Values = { readonly name: string }

/** The values of a ${words(thing)} after a merge patch of what is stored. */
export const changedValues = (
  stored: ${pascal(thing)}Values,
  patch: { readonly [Name in keyof ${pascal(thing)}Values]?: ${pascal(thing)}Values[Name] | undefined },
): ${pascal(thing)}Values => ({
  name: patch.name === undefined ? stored.name : cleanLine(patch.name, LONGEST_NAME),
})
`

const queries = ({ thing, things, prefix }: Names): string => {
  const [One, Many] = [pascal(thing), pascal(things)]
  return `import type { Db } from '#src/contract/db.ts'
import { keyset } from '#src/db/keyset.ts'
import { isNamed } from '#src/db/ref.ts'
import { sql } from '#src/db/sql.ts'
import { allOf } from '#src/db/where.ts'
import type { ${One}Values } from './rules.ts'

/** A ${words(thing)} as it is stored. */
export type ${One}Row = ${One}Values & {
  readonly id: string
  readonly revision: number
  readonly created_at: Date
  readonly updated_at: Date
}

const columns = sql\`t.id, t.name, t.revision, t.created_at, t.updated_at\`

/** The ${words(things)} of a school in the order in which they were made, behind \`after\`. */
export const list${Many} = (
  db: Db,
  schoolId: string,
  rows: number,
  after: readonly string[] | undefined,
): Promise<${One}Row[]> => {
  const { order, behind } = keyset(sql\`t.id\`, { isDescending: false }, after)
  return db.all(sql<${One}Row>\`
    select \${columns} from ${things} t where \${allOf(sql\`t.school_id = \${schoolId}\`, behind)}
    order by \${order} limit \${rows}\`)
}

/** How many ${words(things)} a school has. */
export const count${Many} = async (db: Db, schoolId: string): Promise<number> =>
  (
    await db.one(sql<{ count: number }>\`
      select count(*)::integer as count from ${things} where school_id = \${schoolId}\`)
  ).count

const named = (schoolId: string, ref: string) => sql\`
  t.school_id = \${schoolId} and \${isNamed('${prefix}', ref, { id: sql\`t.id\` })}\`

/** The ${words(thing)} that a path names. */
export const find${One} = (db: Db, schoolId: string, ref: string): Promise<${One}Row | undefined> =>
  db.first(sql<${One}Row>\`select \${columns} from ${things} t where \${named(schoolId, ref)}\`)

/** The same, held until the transaction ends. */
export const lock${One} = (db: Db, schoolId: string, ref: string): Promise<${One}Row | undefined> =>
  db.first(sql<${One}Row>\`select \${columns} from ${things} t where \${named(schoolId, ref)} for no key update\`)

/** Stores a new ${words(thing)}. */
export const insert${One} = (db: Db, schoolId: string, id: string, values: ${One}Values): Promise<number> =>
  db.run(sql\`
    with clock as materialized (select stoa.now() as now)
    insert into ${things} (school_id, id, name, created_at, updated_at)
    select \${schoolId}, \${id}, \${values.name}, now, now from clock\`)

/** Stores a changed ${words(thing)} as its next revision. */
export const store${One} = (db: Db, schoolId: string, id: string, values: ${One}Values): Promise<number> =>
  db.run(sql\`
    update ${things} set name = \${values.name}, revision = revision + 1, updated_at = (select stoa.now())
    where school_id = \${schoolId} and id = \${id}\`)

/** Takes a ${words(thing)} away. */
export const remove${One} = (db: Db, schoolId: string, id: string): Promise<number> =>
  db.run(sql\`delete from ${things} where school_id = \${schoolId} and id = \${id}\`)
`
}

const operations = ({ room, thing, things, prefix, path }: Names): string => {
  const [One, Many, one] = [pascal(thing), pascal(things), camel(thing)]
  return `import type { Static } from 'typebox'
import type { Db } from '#src/contract/db.ts'
import { shownBy } from '#src/contract/example.ts'
import { operation } from '#src/contract/operation.ts'
import { closePage, openPage } from '#src/contract/pagination.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { changedFields } from '#src/kit/patch.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import {
  count${Many},
  find${One},
  insert${One},
  list${Many},
  lock${One},
  remove${One},
  store${One},
  type ${One}Row,
} from './queries.ts'
import { changedValues, type ${One}Values } from './rules.ts'
import { ${One}, ${One}Changes, ${One}Page, ${One}Path, ${One}Query, ${One}Settings } from './schema.ts'

const ACTIONS = ['get${One}', 'update${One}', 'delete${One}']
const example = { ${thing}_id: shownBy('${prefix}', 'list${Many}') }

const viewOf = (row: ${One}Row): Static<typeof ${One}> => ({
  ...row,
  id: toId('${prefix}', row.id),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

const get = async (find: typeof find${One}, db: Db, school: School, ref: string): Promise<${One}Row> => {
  const row = await find(db, school.id, ref)
  if (row === undefined) throw new Refusal(notFound, 'There is no such ${words(thing)}.')
  return row
}

const list${Many}Operation = operation({
  id: 'list${Many}',
  route: 'GET ${path}',
  summary: 'The ${words(things)} of the school',
  scope: '${room}:read',
  who: 'staff',
  mode: 'read',
  query: ${One}Query,
  returns: ${One}Page,
  async handle(context) {
    const { db, school } = context
    const { rows, after } = openPage(context)
    const found = await list${Many}(db, school.id, rows, after)
    const total = () => count${Many}(db, school.id)
    return closePage(context, found, { positionOf: row => [row.id], itemOf: viewOf, total })
  },
})

const get${One} = operation({
  id: 'get${One}',
  route: 'GET ${path}/:${thing}_id',
  summary: 'One ${words(thing)}',
  scope: '${room}:read',
  who: 'staff',
  mode: 'read',
  params: ${One}Path,
  returns: ${One},
  example: { params: example },
  async handle({ db, school, params, allowedActions }) {
    const row = await get(find${One}, db, school, params.${thing}_id)
    return { ...viewOf(row), allowed_actions: allowedActions(ACTIONS) }
  },
})

const create${One} = operation({
  id: 'create${One}',
  route: 'POST ${path}',
  summary: 'Add a ${words(thing)}',
  scope: '${room}:write',
  who: 'staff',
  mode: 'write',
  body: ${One}Settings,
  returns: ${One},
  status: 201,
  example: { body: { name: 'Rye' } },
  async handle({ db, school, body, now, changed, record }) {
    const id = newUuid(now.getTime())
    await insert${One}(db, school.id, id, changedValues(body, body))
    const ref = toId('${prefix}', id)
    const row = await get(find${One}, db, school, ref)
    changed({ ids: [ref], fields: Object.keys(body), revision: row.revision })
    record({ type: '${thing}.created', payload: { ${thing}: ref } })
    return viewOf(row)
  },
})

const update${One} = operation({
  id: 'update${One}',
  route: 'PATCH ${path}/:${thing}_id',
  summary: 'Change a ${words(thing)}',
  scope: '${room}:write',
  who: 'staff',
  mode: 'write',
  ifMatch: 'honoured',
  params: ${One}Path,
  body: ${One}Changes,
  returns: ${One},
  example: { params: example, body: { name: 'Wheat' } },
  async handle({ db, school, params, body, requireMatch, changed, record }) {
    const row = await get(lock${One}, db, school, params.${thing}_id)
    requireMatch(row.revision, viewOf(row))
    const values = changedValues(row, body)
    const fields = changedFields<${One}Values>(row, values)
    if (fields.length === 0) return viewOf(row)
    await store${One}(db, school.id, row.id, values)
    const ref = toId('${prefix}', row.id)
    const stored = await get(find${One}, db, school, ref)
    changed({ ids: [ref], fields, revision: stored.revision })
    record({ type: '${thing}.updated', payload: { ${thing}: ref, fields } })
    return viewOf(stored)
  },
})

const delete${One} = operation({
  id: 'delete${One}',
  route: 'DELETE ${path}/:${thing}_id',
  summary: 'Take a ${words(thing)} away',
  scope: '${room}:write',
  who: 'staff',
  mode: 'write',
  ifMatch: 'honoured',
  params: ${One}Path,
  returns: undefined,
  example: { params: example },
  async handle({ db, school, params, requireMatch, changed, record }) {
    const row = await get(lock${One}, db, school, params.${thing}_id)
    requireMatch(row.revision, viewOf(row))
    await remove${One}(db, school.id, row.id)
    const ref = toId('${prefix}', row.id)
    changed({ ids: [ref], fields: [] })
    record({ type: '${thing}.deleted', payload: { ${thing}: ref } })
  },
})

/** What can be done with ${words(things)}, in the order of the documentation. */
export const ${one}Operations = [list${Many}Operation, get${One}, create${One}, update${One}, delete${One}]
`
}

const tests = ({ room, thing, things, path }: Names): string => `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'

const app = testApp()
const SCOPES = ['${room}:read', '${room}:write']

test('staff add, read, change and take away a ${words(thing)}', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const made = await ada.write('POST', '${path}', { name: 'Spelt' })
  assert.equal(made.status, 201, made.text)
  const one = \`${path}/\${made.json.id}\`
  const changed = await ada.write('PATCH', one, { name: 'Einkorn' })
  assert.deepEqual([changed.status, changed.json.name, changed.json.revision], [200, 'Einkorn', 2])
  assert.equal((await ada.write('PATCH', one, { name: 'Einkorn' })).json.revision, 2)
  const { json } = await ada.get('${path}?include_total=true')
  assert.equal(json.total, json.data.length)
  assert.equal((await ada.write('DELETE', one)).status, 204)
  assert.equal((await ada.get(one)).status, 404)
})

test('somebody decided what ${words(things)} are', () => {
  assert.fail(\`Decide, then delete this test:
- the fields (schema.ts, rules.ts and the migration know a name alone), and which of them are Personal
- who may read and who may write (staff alone), and what is public
- the states, if there are any, and what a deletion leaves
- who learns of the facts, and their effects in words
- what the named world has of them (src/world), which the examples look for\`)
})
`

const migration = ({ things }: Names): string => `create table ${things} (
  school_id uuid not null references schools (id),
  id uuid not null,
  name text not null,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, id)
);
select stoa.guard('${things}');
`

/** The line of grants.sql for a table. */
export const grantOf = ({ things }: Names): string => `grant select, insert, update, delete on ${things} to :app;\n`

/** The name under which a room's operations are exported. */
export const operationsName = ({ thing }: Names): string => `${camel(thing)}Operations`

/** The new files of a room or a resource, by their paths. */
export const furnitureOf = (names: Names, migrationNumber: string): Readonly<Record<string, string>> => ({
  [`${names.folder}/schema.ts`]: schema(names),
  [`${names.folder}/rules.ts`]: rules(names),
  [`${names.folder}/queries.ts`]: queries(names),
  [`${names.folder}/operations.ts`]: operations(names),
  [`${names.folder}/${names.things.replaceAll('_', '-')}.test.ts`]: tests(names),
  [`migrations/${migrationNumber}_${names.things}.sql`]: migration(names),
})
