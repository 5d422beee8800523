import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { areas } from '#src/areas.ts'
import type { CallAsOperator, OperatorAtSchool } from '#src/contract/page-call.ts'
import { type OpenDatabase, openDatabase } from '#src/db/database.ts'
import { testApp } from '#testing/app.ts'
import { PINS, pinboard } from '#testing/pinboard.ts'
import { asOperator } from './as-operator.ts'
import { Failed } from './command.ts'

const app = testApp({ moreTables: PINS })
let database: OpenDatabase | undefined
after(() => database?.close())

const perform = <T>(work: (performAs: CallAsOperator, at: OperatorAtSchool) => Promise<T>): Promise<T> => {
  database ??= openDatabase(app.database.appUrl, { max: 2 })
  const { secret, folder, a: school } = app
  return asOperator({ database, secret, storage: { folder }, school, areas: [...areas, pinboard] }, work)
}

const putUp = (text: string) => perform((performAs, at) => performAs(at, { operation: 'putUpNotice', body: { text } }))

const entries = () =>
  app.database.query<{ operation: string; actor: string; member_id: string | null }>(
    `select operation, actor, member_id from audit_log where actor is not null order by id`,
  )

test('the operator performs an operation without a route, and the audit log names the operator', async () => {
  await putUp('Open on Sunday')
  assert.deepEqual(await app.database.query(`select school_id, text from pins where text = 'Open on Sunday'`), [
    { school_id: app.a.id, text: 'Open on Sunday' },
  ])
  assert.deepEqual(await entries(), [{ operation: 'putUpNotice', actor: 'operator', member_id: null }])
  const ada = await app.actor('ada')
  const { json } = await ada.get('/school/audit-log?operation=putUpNotice')
  assert.deepEqual(json.data[0].actor, { kind: 'operator' })
})

test('the operator may do what owners may', async () => {
  await perform((performAs, at) => performAs(at, { operation: 'clearPinboard' }))
  assert.deepEqual(await app.database.query('select from pins where school_id = $1', [app.a.id]), [])
})

test('a refusal fails the command with its words and the fields that are wrong, and changes nothing', async () => {
  await putUp('Twice')
  const before = await entries()
  await assert.rejects(putUp('Twice'), new Failed('Another pin has this text.'))
  await assert.rejects(putUp(''), error => error instanceof Failed && /not valid\. \/text /.test(error.message))
  assert.deepEqual(await entries(), before)
})

test('a dry run says what would happen and leaves nothing', async () => {
  const before = await entries()
  const { effects } = await perform((performAs, at) =>
    performAs(at, { operation: 'putUpNotice', body: { text: 'Never up' }, dryRun: true }),
  )
  assert.deepEqual(
    effects.map(({ type }) => type),
    ['pin.put_up'],
  )
  assert.deepEqual(await app.database.query(`select from pins where text = 'Never up'`), [])
  assert.deepEqual(await entries(), before)
})

test('an operation with a route, one of another kind and an unknown one are not for the operator', async () => {
  for (const operation of ['updateSchool', 'getSchool', 'createUpload', 'nothing'])
    await assert.rejects(
      perform((performAs, at) => performAs(at, { operation })),
      /has a route|can be performed here|is not an operation/,
    )
})
