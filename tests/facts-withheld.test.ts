import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildFactAbout } from '#src/contract/fact.ts'
import { factTypes } from '#src/contract/fact-types.ts'
import type { FactDeclaration } from '#src/contract/facts/declaration.ts'
import { recordFacts, setMismatchHandler } from '#src/db/audit.ts'
import { toId } from '#src/kit/ids.ts'
import { testApp } from '#testing/app.ts'

const app = testApp()
const ROW = '00000000-0000-7000-8000-000000000000'
const good = buildFactAbout('course.published', toId('crs', ROW))
const bad = buildFactAbout('course.published', toId('mem', ROW))

const fail = (mismatch: string): never => {
  throw new Error(mismatch)
}

const record = (fact: typeof good) =>
  app.database.elsewhere().transaction(app.a.id, (db, now) => recordFacts(db, { schoolId: app.a.id, now }, [fact]))

const readStored = () =>
  app.database.query(`select payload, is_withheld from facts where type = 'course.published' order by id`)

test('a payload that is not as declared fails in tests', async () => {
  await assert.rejects(record(bad), /course\.published: \/course_id /)
  assert.deepEqual(await readStored(), [])
})

test('in production it is reported, stored and withheld from apps', async () => {
  const heard: string[] = []
  setMismatchHandler(mismatch => void heard.push(mismatch))
  try {
    await record(good)
    await record(bad)
  } finally {
    setMismatchHandler(fail)
  }
  assert.equal(heard.length, 1)
  assert.deepEqual(await readStored(), [
    { payload: good.payload, is_withheld: false },
    { payload: bad.payload, is_withheld: true },
  ])
})

test('/facts.json has the schema and an example of each fact that apps may be told, without a token', async () => {
  const reply = await app.send({ path: '/facts.json' })
  assert.equal(reply.status, 200)
  const declared: [string, FactDeclaration][] = Object.entries(factTypes)
  assert.deepEqual(
    Object.keys(reply.json).sort(),
    declared.flatMap(([type, { scope }]) => (scope === 'internal' ? [] : [type])).sort(),
  )
  const { scope, subject, read_by, schema, example } = reply.json['course.published']
  assert.deepEqual(
    [scope, subject, read_by, Object.keys(example)],
    ['courses:read', 'course_id', 'getCourse', ['course_id']],
  )
  assert.deepEqual([schema.additionalProperties, schema.required], [false, ['course_id']])
  const etag = String(reply.headers.etag)
  assert.equal((await app.send({ path: '/facts.json', headers: { 'if-none-match': etag } })).status, 304)
})
