import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TableError } from '#src/kit/tabular/index.ts'
import { type ArchiveEntry, buildArchive } from '#testing/archives.ts'
import { buildWorkbook, chunkBytes } from '#testing/tables.ts'
import { openOneRoster } from './one-roster.lookups.ts'

const MANIFEST = 'propertyName,value\nmanifest.version,1.0\noneroster.version,1.2\nfile.users,bulk\n'
const USERS = `sourcedId,status,dateLastModified,enabledUser,username,givenName,familyName,email,sms,phone,preferredGivenName
u1,active,,true,ann,Ann,Lee,ann@example.com,,+351 912 345 678,
u2,active,,true,bo,Robert,Rye,bo@example.com,912 000 111,,Bo
u3,tobedeleted,,true,cy,Cy,Old,cy@example.com,,,
u4,active,,FALSE,di,Di,Off,di@example.com,,,
`
const CLASSES = `sourcedId,status,title,classCode
c1,active,"Math, Year 5",M5
c2,active,Art,A1
c3,active,Art,A2
c4,tobedeleted,Gone,
`
const ENROLLMENTS = `sourcedId,status,classSourcedId,schoolSourcedId,userSourcedId,role
e1,active,c1,s1,u1,student
e2,active,c2,s1,u1,student
e3,active,c3,s1,u2,Student
e4,active,c1,s1,u2,teacher
e5,tobedeleted,c1,s1,u2,student
e6,active,c4,s1,u2,student
e7,active,c9,s1,u2,student
`

const ALL: readonly ArchiveEntry[] = [
  { name: 'manifest.csv', data: MANIFEST },
  { name: 'users.csv', data: USERS },
  { name: 'classes.csv', data: CLASSES },
  { name: 'enrollments.csv', data: ENROLLMENTS },
]

const open = (file: Buffer) => openOneRoster(chunkBytes(file, 100))
const openEntries = (entries: readonly ArchiveEntry[]) => open(buildArchive([...entries]))

const readUsers = async (file: Buffer) => {
  const roster = (await open(file)) ?? assert.fail('not taken for OneRoster')
  const users: (readonly (string | null)[])[] = []
  for await (const { number, cells } of roster.readRows()) users.push([String(number), ...cells])
  assert.equal(roster.rows, users.length)
  return { headings: roster.columns.map(({ heading }) => heading), users }
}

const PEOPLE = [
  ['2', 'u1', 'Ann', 'Lee', 'ann@example.com', '+351 912 345 678'],
  ['3', 'u2', 'Bo', 'Rye', 'bo@example.com', '912 000 111'],
  ['4', 'u3', 'Cy', 'Old', 'cy@example.com', null],
  ['5', 'u4', 'Di', 'Off', 'di@example.com', null],
] as const
const STATUSES = ['active', 'active', 'tobedeleted', 'disabled']

test('classes of students are groups, and those with one title have their code', async () => {
  for (const entries of [ALL, ALL.map(entry => ({ ...entry, name: `export/${entry.name}` }))]) {
    const { headings, users } = await readUsers(buildArchive(entries))
    assert.deepEqual(headings, ['sourcedId', 'givenName', 'familyName', 'email', 'phone', 'groups', 'status'])
    const groups = ['Math, Year 5|Art (A1)', 'Art (A2)', null, null]
    assert.deepEqual(
      users,
      PEOPLE.map((person, at) => [...person, groups[at], STATUSES[at]]),
    )
  }
})

test('users alone are read from a file of text, with a byte order mark or without', async () => {
  for (const text of [USERS, `\ufeff${USERS}`, USERS.replaceAll('\n', '\r\n')]) {
    const { headings, users } = await readUsers(Buffer.from(text))
    assert.deepEqual(headings, ['sourcedId', 'givenName', 'familyName', 'email', 'phone', 'status'])
    assert.deepEqual(
      users,
      PEOPLE.map((person, at) => [...person, null, STATUSES[at]]),
    )
  }
})

test('other tables, workbooks and archives are not OneRoster', async () => {
  assert.equal(await open(Buffer.from('email,name\na@example.com,Ann\n')), undefined)
  assert.equal(await open(Buffer.alloc(0)), undefined)
  assert.equal(await open(buildWorkbook({ rows: '' })), undefined)
  assert.equal(await openEntries([{ name: 'users.csv', data: USERS }]), undefined)
  assert.equal(await openEntries([...ALL, { name: '../x', data: 'x' }]), undefined)
  assert.equal(await open(Buffer.from('PK\x03\x04 and nothing of an archive')), undefined)
})

const refuses = (fault: string, users: Partial<ArchiveEntry> | undefined): Promise<void> => {
  const entries = ALL.flatMap(entry => {
    if (entry.name !== 'users.csv') return [entry]
    return users === undefined ? [] : [{ ...entry, ...users }]
  })
  return assert.rejects(
    async () => {
      await openEntries(entries)
    },
    error => {
      assert.ok(error instanceof TableError, String(error))
      assert.equal(error.fault, fault)
      return true
    },
  )
}

test('an archive without users, with damaged ones and with too much is refused by its fault', async () => {
  await refuses('empty', undefined)
  await refuses('empty', { data: USERS.split('\n', 1)[0] ?? '' })
  await refuses('damaged', { crc: 1 })
  await refuses('bad_encoding', { data: Buffer.from(`${USERS}u5,active,,true,\xe9,,,,,,\n`, 'latin1') })
  await refuses('too_large', { size: 400_000_001 })
  await refuses('too_many_rows', { data: USERS + 'u9,active,,true,x,X,Y,x@example.com,,,\n'.repeat(49_997) })
})
