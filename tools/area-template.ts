import { camel, type Names, operationsName, pascal, words } from './area-names.ts'
import { operationsFile } from './operations-template.ts'

const indexFile = (names: Names): string => `import { area } from '#src/contract/area.ts'
import { ${operationsName(names)} } from './operations.ts'

${declaration(names)}`

// The declaration of an area: whatever changes in `area` of src/contract/area.ts changes here.
const declaration = (names: Names): string => `/** The ${words(names.things)} of a school. */
export const ${camel(names.area)} = area({
  name: '${names.area}',
  operations: ${operationsName(names)},
})
`

const schemaFile = ({ thing, things, prefix }: Names): string => `import Type from 'typebox'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { MergePatch } from '#src/kit/patch.ts'
import { Closed, Id, Line, Recorded, Ref } from '#src/kit/shapes.ts'
import { MAX_NAME_LENGTH } from './rules.ts'

/** The fields that create a ${words(thing)}. */
export const New${pascal(thing)} = Closed('New${pascal(thing)}', { name: Line(MAX_NAME_LENGTH, 'The name') })

/** One of the ${words(things)}. */
export const ${pascal(thing)} = Closed('${pascal(thing)}', {
  id: Id('${prefix}'),
  name: New${pascal(thing)}.properties.name,
  ...Recorded,
})

/** A merge patch of a ${words(thing)}. */
export const ${pascal(thing)}Changes = MergePatch(New${pascal(thing)}, '${pascal(thing)}Changes')

/** One page of the ${words(things)}. */
export const ${pascal(thing)}Page = PageOf(${pascal(thing)}, '${pascal(thing)}Page')

/** The parameters of the list of ${words(things)}. */
export const ${pascal(thing)}Query = Type.Object({ ...PageQuery })

/** A ${words(thing)} in a path. */
export const ${pascal(thing)}Path = Type.Object({ ${thing}_id: Ref('${prefix}') })
`

const rulesFile = ({ thing }: Names): string => `import { cleanLine } from '#src/kit/text.ts'

/** How many characters a name may have. */
export const MAX_NAME_LENGTH = 120

/** The stored fields of a ${words(thing)} that its callers choose. */
export type ${pascal(thing)}Values = { readonly name: string }

/** The values of a ${words(thing)} after a merge patch. */
export const patchedValues = (
  stored: ${pascal(thing)}Values,
  patch: { readonly [Name in keyof ${pascal(thing)}Values]?: ${pascal(thing)}Values[Name] | undefined },
): ${pascal(thing)}Values => ({
  name: patch.name === undefined ? stored.name : cleanLine(patch.name, MAX_NAME_LENGTH),
})
`

const queriesFile = ({ thing, things }: Names): string => {
  const One = pascal(thing)
  return `import type { Db, Recorded } from '#src/contract/db.ts'
import type { List } from '#src/db/list.ts'
import { isNamed } from '#src/db/ref.ts'
import { sql } from '#src/db/sql.ts'
import type { ${One}Values } from './rules.ts'

/** A stored ${words(thing)}. */
export type ${One}Row = Recorded<${One}Values> & { readonly id: string }

const columns = sql\`t.id, t.name, t.revision, t.created_at, t.updated_at\`

/** The ${words(things)} of a school in the order in which they were created. */
export const ${camel(thing)}List = (schoolId: string): List<${One}Row> => ({
  columns,
  from: sql\`${things} t\`,
  where: sql\`t.school_id = \${schoolId}\`,
  id: sql\`t.id\`,
})

const named = (schoolId: string, ref: string) => sql\`
  t.school_id = \${schoolId} and \${isNamed(ref, { id: sql\`t.id\` })}\`

/** The ${words(thing)} that a path names. */
export const find${One} = (db: Db, schoolId: string, ref: string): Promise<${One}Row | undefined> =>
  db.first(sql<${One}Row>\`select \${columns} from ${things} t where \${named(schoolId, ref)}\`)

/** The same, locked until the transaction ends. */
export const lock${One} = (db: Db, schoolId: string, ref: string): Promise<${One}Row | undefined> =>
  db.first(sql<${One}Row>\`select \${columns} from ${things} t where \${named(schoolId, ref)} for no key update\`)

/** Stores a new ${words(thing)}. */
export const insert${One} = (db: Db, schoolId: string, id: string, values: ${One}Values): Promise<${One}Row> =>
  db.one(sql<${One}Row>\`
    with clock as materialized (select stoa.now() as now)
    insert into ${things} as t (school_id, id, name, created_at, updated_at)
    values (\${schoolId}, \${id}, \${values.name}, (select now from clock), (select now from clock))
    returning \${columns}\`)

/** Stores a changed ${words(thing)} as its next revision. */
export const store${One} = (db: Db, schoolId: string, id: string, values: ${One}Values): Promise<${One}Row> =>
  db.one(sql<${One}Row>\`
    update ${things} t set name = \${values.name}, revision = revision + 1, updated_at = (select stoa.now())
    where t.school_id = \${schoolId} and t.id = \${id}
    returning \${columns}\`)

/** Deletes a ${words(thing)}. */
export const remove${One} = (db: Db, schoolId: string, id: string): Promise<number> =>
  db.run(sql\`delete from ${things} where school_id = \${schoolId} and id = \${id}\`)
`
}

const accessFile = ({ thing }: Names): string => {
  const One = pascal(thing)
  return `import type { Db } from '#src/contract/db.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { find${One}, lock${One}, type ${One}Row } from './queries.ts'

type Where = { readonly db: Db; readonly school: School }

const foundOrRefused = (row: ${One}Row | undefined): ${One}Row => {
  if (row === undefined) throw new Refusal(notFound, 'There is no such ${words(thing)}.')
  return row
}

/** The ${words(thing)} that a path names, or 404. */
export const get${One} = async ({ db, school }: Where, ref: string): Promise<${One}Row> =>
  foundOrRefused(await find${One}(db, school.id, ref))

/** The same, locked until the transaction ends. */
export const getLocked${One} = async ({ db, school }: Where, ref: string): Promise<${One}Row> =>
  foundOrRefused(await lock${One}(db, school.id, ref))
`
}

const viewsFile = ({ thing }: Names): string => {
  const [One, one] = [pascal(thing), camel(thing)]
  return `import type { Static } from 'typebox'
import type { ${One}Row } from './queries.ts'
import type { ${One} } from './schema.ts'

/** A ${words(thing)} as operations return it. */
export const ${one}View = (row: ${One}Row): Static<typeof ${One}> => ({
  ...row,
})
`
}

const testFile = ({ thing, things, path, scope }: Names): string => `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'

const app = testApp()
const SCOPES = ['${scope}:read', '${scope}:write']

test('staff create, read, update and delete a ${words(thing)}', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const created = await ada.write('POST', '${path}', { name: 'Spelt' })
  assert.equal(created.status, 201, created.text)
  const one = \`${path}/\${created.json.id}\`
  const updated = await ada.write('PATCH', one, { name: 'Einkorn' })
  assert.deepEqual([updated.status, updated.json.name, updated.json.revision], [200, 'Einkorn', 2])
  assert.equal((await ada.write('PATCH', one, { name: 'Einkorn' })).json.revision, 2)
  const { json } = await ada.get('${path}?include_total=true')
  assert.equal(json.total, json.data.length)
  assert.equal((await ada.write('DELETE', one)).status, 204)
  assert.equal((await ada.get(one)).status, 404)
})

test('the design of ${words(things)} is decided', () => {
  assert.fail(\`Decide, then delete this test:
- the fields (schema.ts, rules.ts and the migration have only a name), and which of them are Personal
- who may read and who may write (only staff so far; the checks are in access.ts), and what is public
- the states, if there are any, and what remains after a deletion
- the subscribers to the facts, and the effects of the facts in words
- the hooks of earlier areas to implement: the export and the erasure of personal data, the merge of two members
- the demo data (src/demo), which the examples refer to\`)
})
`

const migrationFile = ({ things }: Names): string => `create table ${things} (
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
export const buildGrant = ({ things }: Names): string => `grant select, insert, update, delete on ${things} to :app;\n`

/** The lines that declare the facts of a resource. */
export const buildFactLines = ({ thing, prefix, scope }: Names): string => {
  const declare = (fields: string, done: string): string => `  ...declareFacts(
    { scope: '${scope}:read', subject: '${thing}_id', fields: { ${thing}_id: Id('${prefix}')${fields} } },
    { '${thing}.${done}': '${words(thing)} ${done}.' },
  ),
`
  return [declare('', 'created'), declare(', fields: FieldNames', 'updated'), declare('', 'deleted')].join('')
}

/** The new files of an area or a resource, by their paths; only an area has an entry point. */
export const buildFiles = (names: Names, migrationNumber: string): Readonly<Record<string, string>> => ({
  ...(names.isArea ? { [`${names.folder}/index.ts`]: indexFile(names) } : {}),
  [`${names.folder}/schema.ts`]: schemaFile(names),
  [`${names.folder}/operations.ts`]: operationsFile(names),
  [`${names.folder}/access.ts`]: accessFile(names),
  [`${names.folder}/rules.ts`]: rulesFile(names),
  [`${names.folder}/queries.ts`]: queriesFile(names),
  [`${names.folder}/views.ts`]: viewsFile(names),
  [`${names.folder}/${names.things.replaceAll('_', '-')}.test.ts`]: testFile(names),
  [`migrations/${migrationNumber}_${names.things}.sql`]: migrationFile(names),
})
