import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { migrate, migrationState } from '#src/db/migrate.ts'
import { startApp } from '#testing/app.ts'
import { createInstallation, emptyInstallation, makeBackup, restoreInto, testFolder } from '#testing/backup.ts'
import { createTestDatabase, setting } from '#testing/database.ts'
import { type Recorder, type Sent, startRecorder } from '#testing/recorder.ts'
import { connect, refreshAt, revokeAt } from '#testing/tokens.ts'

// A layer in front of a database may carry out, or route, only the first command of a string.
let recorder: Recorder
before(async () => {
  recorder = await startRecorder(setting('STOA_TEST_OWNER_URL'))
})
after(() => recorder.close())

const sentMeanwhile = async (work: () => Promise<unknown>): Promise<readonly Sent[]> => {
  const before = recorder.sent.length
  await work()
  return recorder.sent.slice(before)
}

const assertSingle = (sent: readonly Sent[], expected: RegExp): void => {
  assert.ok(
    sent.some(({ text }) => expected.test(text)),
    'what is asked for was sent',
  )
  assert.deepEqual(
    sent.filter(({ commands }) => commands > 1),
    [],
  )
}

const through = <T extends { readonly appUrl: string; readonly ownerUrl: string }>(database: T): T => ({
  ...database,
  appUrl: recorder.through(database.appUrl),
  ownerUrl: recorder.through(database.ownerUrl),
})

test('requests that read, write and stream', async () => {
  const app = await startApp({ databaseUrl: async direct => recorder.through(direct) })
  try {
    const sent = await sentMeanwhile(async () => {
      const dev = await connect(app, 'dev')
      assert.equal((await refreshAt(app.port, dev, dev.refresh)).status, 200)
      assert.equal((await revokeAt(app.port, dev, dev.refresh)).status, 200)
      const ada = await app.actor('ada', { scopes: ['members:read', 'members:write'] })
      assert.equal((await ada.write('POST', '/groups', { name: 'Early shift' })).status, 201)
      assert.equal((await ada.get('/members', { accept: 'text/csv' })).status, 200)
    })
    assertSingle(sent, /^begin$/)
  } finally {
    await app.stop()
  }
})

test('the migrator', async () => {
  const database = await createTestDatabase('template0')
  try {
    const sent = await sentMeanwhile(async () => {
      await migrate(recorder.through(database.ownerUrl), 'stoa_app')
    })
    assertSingle(sent, /create table schools/)
    assert.deepEqual(await migrationState(database.ownerUrl), { waiting: [], changed: [] })
  } finally {
    await database.drop()
  }
})

test('backup and restore', async () => {
  const database = await createTestDatabase('world')
  try {
    const file = join(await testFolder(), 'school.stoa')
    const source = await createInstallation(through(database), setting('STOA_TEST_SECRET'))
    assertSingle(await sentMeanwhile(() => makeBackup(source, file)), /^copy/)
    const target = await emptyInstallation(source.secret, 'stoa')
    const recorded = await createInstallation(through(target.database), source.secret)
    assertSingle(await sentMeanwhile(() => restoreInto(recorded, file)), /create table schools/)
  } finally {
    await database.drop()
  }
})
