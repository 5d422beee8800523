import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { openEmbedded } from './index.ts'
import { describeOwner, readLock } from './lock-file.ts'
import { hasEndedWithin, isRunning } from './processes.ts'
import { killHard, openInChild, readMessage } from './test-child.ts'
import { createPath, emptyFolder, quickly, readRows, usedFolder } from './test-folders.ts'

async function serveAndWrite(dataFolder: string, path?: string): Promise<{ child: ChildProcess; postgresPid: number }> {
  const child = openInChild(dataFolder, path === undefined ? {} : { path })
  const { ownerUrl = '' } = await readMessage(child)
  await readRows(ownerUrl, 'create table loaf as select generate_series(1, 1000) as number')
  return { child, postgresPid: (await readLock(join(dataFolder, 'stoa.lock')))?.postgresPid ?? 0 }
}

async function assertOpensWithLoaves(dataFolder: string): Promise<string[]> {
  const lines: string[] = []
  const embedded = await openEmbedded(quickly(dataFolder, lines))
  try {
    assert.deepEqual(await readRows(embedded.ownerUrl, 'select count(*)::int as loaves from loaf'), [{ loaves: 1000 }])
    return lines
  } finally {
    await embedded.stop()
  }
}

test('kill -9 of the owner takes its PostgreSQL along, and what was committed is there again', async () => {
  const dataFolder = await usedFolder()
  const { child, postgresPid } = await serveAndWrite(dataFolder)
  assert.ok(isRunning(postgresPid))
  await killHard(child)
  if (process.platform === 'linux') assert.ok(await hasEndedWithin(postgresPid, 30_000))
  await assertOpensWithLoaves(dataFolder)
})

test('the folder opens immediately after kill -9, while the server may still be ending', async () => {
  const dataFolder = await usedFolder()
  const { child } = await serveAndWrite(dataFolder)
  await killHard(child)
  await assertOpensWithLoaves(dataFolder)
})

test('a PostgreSQL that outlived its owner is ended before the folder opens', async () => {
  const dataFolder = await usedFolder()
  const { child, postgresPid } = await serveAndWrite(dataFolder, await createPath('unshare', 'sh'))
  await killHard(child)
  assert.ok(isRunning(postgresPid))
  const lines = await assertOpensWithLoaves(dataFolder)
  assert.ok(lines.some(line => line.includes(`process ${postgresPid}`)))
  assert.ok(!isRunning(postgresPid))
})

test('a garbage lock file beside a running left-over does not keep the folder closed', async () => {
  const dataFolder = await usedFolder()
  const { child, postgresPid } = await serveAndWrite(dataFolder, await createPath('unshare', 'sh'))
  await killHard(child)
  await writeFile(join(dataFolder, 'stoa.lock'), '{"pid": 1, "nonce')
  await assertOpensWithLoaves(dataFolder)
  assert.ok(!isRunning(postgresPid))
})

test('a process that reuses the pid of a dead server is not touched', async () => {
  const dataFolder = await usedFolder()
  const stranger = spawn('sleep', ['60'])
  try {
    await once(stranger, 'spawn')
    const lock = { ...describeOwner(), pid: stranger.pid, started: 'long ago', postgresPid: stranger.pid }
    await writeFile(join(dataFolder, 'stoa.lock'), JSON.stringify(lock))
    await writeFile(join(dataFolder, 'postgres', 'postmaster.pid'), `${stranger.pid}\n${dataFolder}/postgres\n`)
    await (await openEmbedded(quickly(dataFolder))).stop()
    assert.ok(isRunning(stranger.pid ?? 0))
  } finally {
    stranger.kill()
  }
})

test('kill -9 in the middle of initdb leaves a folder that opens', async () => {
  const dataFolder = await emptyFolder()
  const child = openInChild(dataFolder)
  const findUnfinished = async () => (await readdir(dataFolder)).find(name => name.startsWith('postgres.new-'))
  while (!(await findUnfinished())) await delay(5)
  await killHard(child)
  assert.ok(await findUnfinished())
  await (await openEmbedded(quickly(dataFolder))).stop()
  assert.deepEqual((await readdir(dataFolder)).sort(), ['postgres', 'postgres.log', 'run'])
})

test('an unfinished cluster in the place of the finished one is put aside, not removed', async () => {
  const dataFolder = await emptyFolder()
  await mkdir(join(dataFolder, 'postgres'))
  await writeFile(join(dataFolder, 'postgres', 'PG_VERSION'), '18\n')
  const lines: string[] = []
  await (await openEmbedded(quickly(dataFolder, lines))).stop()
  const aside = (await readdir(dataFolder)).find(name => name.startsWith('postgres.unfinished-')) ?? ''
  assert.equal(await readFile(join(dataFolder, aside, 'PG_VERSION'), 'utf8'), '18\n')
  assert.ok(lines.some(line => line.includes(aside)))
})

test('a link to a cluster that is not there is refused, not replaced by an empty one', async () => {
  const dataFolder = await emptyFolder()
  await symlink('/nowhere/postgres', join(dataFolder, 'postgres'))
  await assert.rejects(openEmbedded(quickly(dataFolder)), { name: 'EmbeddedFailed', message: /not there/ })
})
