import assert from 'node:assert/strict'
import { appendFile, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { DataFolderInUse, EmbeddedFailed, openEmbedded } from './index.ts'
import { readLock } from './lock-file.ts'
import { finish, openInChild, readMessage } from './test-child.ts'
import { emptyFolder, quickly, readRows, usedFolder } from './test-folders.ts'

test('a fresh folder gets a UTF-8 cluster that only its owner can reach', async () => {
  const dataFolder = join(await emptyFolder(), 'a 100%25 "odd", path', 'é')
  const embedded = await openEmbedded(quickly(dataFolder))
  try {
    const [database] = await readRows(
      embedded.appUrl,
      `select current_user as login, datname, pg_encoding_to_char(encoding) as encoding, datcollate, datctype,
        current_setting('listen_addresses') as listens from pg_database where datname = current_database()`,
    )
    const expected = { datname: 'stoa', encoding: 'UTF8', datcollate: 'C', datctype: 'C', listens: '' }
    assert.deepEqual(database, { login: 'stoa_app', ...expected })
    for (const folder of ['postgres', 'run']) {
      assert.equal((await stat(join(dataFolder, folder))).mode & 0o777, 0o700, folder)
    }
    assert.equal((await stat(join(dataFolder, 'stoa.lock'))).mode & 0o777, 0o600)
  } finally {
    await embedded.stop()
  }
  assert.deepEqual((await readdir(dataFolder)).sort(), ['postgres', 'postgres.log', 'run'])
})

test('the app login owns nothing and has no powers, also after it was given some', async () => {
  const dataFolder = await usedFolder()
  const first = await openEmbedded(quickly(dataFolder))
  await readRows(first.ownerUrl, 'alter role stoa_app superuser bypassrls')
  await first.stop()
  const embedded = await openEmbedded(quickly(dataFolder))
  try {
    const [role] = await readRows(
      embedded.appUrl,
      `select rolsuper or rolcreatedb or rolcreaterole or rolreplication or rolbypassrls as powerful,
        exists (select from pg_shdepend where refobjid = r.oid) as owns from pg_roles r where rolname = current_user`,
    )
    assert.deepEqual(role, { powerful: false, owns: false })
    await assert.rejects(readRows(embedded.appUrl, 'create table public.mine ()'), /permission denied/)
  } finally {
    await embedded.stop()
  }
})

test('a restart keeps what was written, in every script', async () => {
  const dataFolder = await usedFolder()
  const text = 'Brød, хлеб, パン, 🍞, e\u0301'
  const first = await openEmbedded({ ...quickly(dataFolder), durable: true })
  await readRows(first.ownerUrl, 'create table loaf (name text)')
  await readRows(first.ownerUrl, 'insert into loaf values ($1)', [text])
  await first.stop()
  const again = await openEmbedded(quickly(dataFolder))
  try {
    assert.deepEqual(await readRows(again.ownerUrl, 'select name, length(name) from loaf'), [
      { name: text, length: [...text].length },
    ])
  } finally {
    await again.stop()
  }
})

test('a pool takes the URL, also when the path is too long for a socket', async () => {
  const dataFolder = join(await emptyFolder(), 'a-long-name'.repeat(10))
  const embedded = await openEmbedded(quickly(dataFolder))
  const pool = new pg.Pool({ connectionString: embedded.appUrl })
  // A pool that has ended may still receive the server's end on a connection that is closing.
  pool.on('error', () => undefined)
  const host = new URL(embedded.appUrl).searchParams.get('host') ?? ''
  try {
    assert.equal((await pool.query('select 1 as one')).rows[0].one, 1)
    assert.ok(!host.startsWith(dataFolder))
    assert.equal((await stat(host)).mode & 0o777, 0o700)
    assert.equal((await readLock(join(dataFolder, 'stoa.lock')))?.socketFolder, host)
  } finally {
    await pool.end()
    await embedded.stop()
  }
  await assert.rejects(stat(host), { code: 'ENOENT' })
})

test('a second serve is refused with one line that names the process and the URL to use', async () => {
  const dataFolder = await usedFolder()
  const child = openInChild(dataFolder)
  const output = await readMessage(child)
  await assert.rejects(openEmbedded(quickly(dataFolder)), (error: unknown) => {
    assert.ok(error instanceof DataFolderInUse)
    assert.ok(error.message.includes(`process ${child.pid}`) && error.message.includes(output.appUrl ?? '?'))
    assert.ok(!error.message.includes('\n'))
    return true
  })
  await finish(child)
  await (await openEmbedded(quickly(dataFolder))).stop()
})

test('a command joins the running server and leaves it running', async () => {
  const dataFolder = await usedFolder()
  const serving = await openEmbedded(quickly(dataFolder))
  try {
    const command = await openEmbedded({ ...quickly(dataFolder), mode: 'command' })
    assert.deepEqual([command.startedHere, command.appUrl], [false, serving.appUrl])
    await command.stop()
    assert.equal((await readRows(serving.appUrl, 'select 1')).length, 1)
  } finally {
    await serving.stop()
  }
})

test('a command that comes while the server still starts waits for it', async () => {
  const dataFolder = await usedFolder()
  const starting = openEmbedded(quickly(dataFolder))
  // Whoever takes the lock first is the one that the other meets.
  const deadline = performance.now() + 20_000
  while ((await readLock(join(dataFolder, 'stoa.lock'))) === undefined)
    assert.ok(performance.now() < deadline, 'the server takes no lock')
  const [serving, command] = await Promise.all([starting, openEmbedded({ ...quickly(dataFolder), mode: 'command' })])
  assert.equal(serving.appUrl, command.appUrl)
  await Promise.all([command.stop(), serving.stop()])
})

test('a single command starts a server and stops it, however often it is told to stop', async () => {
  const dataFolder = await usedFolder()
  const command = await openEmbedded({ ...quickly(dataFolder), mode: 'command' })
  assert.equal(command.startedHere, true)
  await Promise.all([command.stop(), command.stop()])
  await command.stop()
  await assert.rejects(readRows(command.appUrl, 'select 1'))
  assert.equal(await readLock(join(dataFolder, 'stoa.lock')), undefined)
})

test('one of two processes that open a folder at the same instant succeeds', async () => {
  const dataFolder = await emptyFolder()
  const children = [openInChild(dataFolder), openInChild(dataFolder)]
  const outputs = await Promise.all(children.map(readMessage))
  assert.deepEqual(outputs.map(({ error }) => error).sort(), ['DataFolderInUse', undefined])
  await Promise.all(children.map(finish))
})

test('a cluster of another major version is refused with one line', async () => {
  const dataFolder = await usedFolder()
  await writeFile(join(dataFolder, 'postgres', 'PG_VERSION'), '14\n')
  await assert.rejects(openEmbedded(quickly(dataFolder)), (error: unknown) => {
    assert.ok(error instanceof EmbeddedFailed)
    assert.match(error.message, /PostgreSQL 14 and this is PostgreSQL \d+; .*stoa backup.*stoa restore/)
    assert.ok(!error.message.includes('\n'))
    return true
  })
})

test('a server that cannot start says why, and the folder is free again', async () => {
  const dataFolder = await usedFolder()
  const settings = join(dataFolder, 'postgres', 'postgresql.conf')
  const before = await readFile(settings, 'utf8')
  await appendFile(settings, 'no_such_setting = 1\n')
  const failing = openEmbedded(quickly(dataFolder))
  await assert.rejects(failing, {
    name: 'EmbeddedFailed',
    message: /ended while it started.*no_such_setting/s,
  })
  await writeFile(settings, before)
  await (await openEmbedded(quickly(dataFolder))).stop()
})

test('a large log is put aside', async () => {
  const dataFolder = await usedFolder()
  await writeFile(join(dataFolder, 'postgres.log'), Buffer.alloc(5_000_000, 'x'))
  await (await openEmbedded(quickly(dataFolder))).stop()
  assert.ok((await stat(join(dataFolder, 'postgres.log'))).size < 100_000)
  assert.equal((await stat(join(dataFolder, 'postgres.log.1'))).size, 5_000_000)
})
