import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { claimOn, releaseLock, takeLock } from './lock.ts'
import { describeOwner } from './lock-file.ts'
import { emptyFolder } from './test-folders.ts'

// Ends without releasing the lock when it took it, so that the next round finds a dead owner.
const TAKER = `
  const { takeLock } = await import(process.argv[1])
  process.stdout.write('ready')
  process.stdin.once('data', async () => {
    const attempt = await takeLock(process.argv[2])
    process.stdout.write('mine' in attempt ? 'won' : 'lost')
    process.stdin.once('end', () => process.exit())
  })`

function spawnTaker(path: string) {
  const module = pathToFileURL(join(import.meta.dirname, 'lock.ts')).href
  const words = ['--input-type=module', '--eval', TAKER, module, path]
  return spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'] })
}

async function race(path: string, count: number): Promise<string[]> {
  const takers = Array.from({ length: count }, () => spawnTaker(path))
  await Promise.all(takers.map(taker => once(taker.stdout, 'data')))
  const outcomes = takers.map(taker => once(taker.stdout, 'data'))
  for (const taker of takers) taker.stdin.write('go')
  const outcomeTexts = (await Promise.all(outcomes)).map(String)
  const ended = takers.map(taker => once(taker, 'exit'))
  for (const taker of takers) taker.stdin.end()
  await Promise.all(ended)
  return outcomeTexts
}

test('exactly one of many competing processes takes the lock, whatever the last owner left', async () => {
  const path = join(await emptyFolder(), 'stoa.lock')
  for (const before of ['nothing', 'a dead owner', 'an empty file', 'garbage']) {
    if (before === 'an empty file') await writeFile(path, '')
    if (before === 'garbage') await writeFile(path, '\0\0{"pid":')
    const outcomes = await race(path, 6)
    assert.deepEqual(outcomes.filter(word => word === 'won').length, 1, before)
  }
})

test('a claim whose holder died half way is taken over too', async () => {
  const folder = await emptyFolder()
  const path = join(folder, 'stoa.lock')
  await writeFile(path, 'garbage')
  const dead = JSON.stringify({ ...describeOwner(), started: 'before the last power cut 7' })
  await writeFile(claimOn(path, 'garbage', path), dead)
  const attempts = await Promise.all(Array.from({ length: 20 }, () => takeLock(path)))
  assert.equal(attempts.filter(attempt => 'mine' in attempt).length, 1)
  assert.deepEqual(await readdir(folder), ['stoa.lock'])
})

test('an owner whose pid now belongs to another process is dead', async () => {
  const path = join(await emptyFolder(), 'stoa.lock')
  await writeFile(path, JSON.stringify({ ...describeOwner(), started: 'before the last power cut 7' }))
  assert.ok('mine' in (await takeLock(path)))
})

test('a lock that another process has taken since is not released', async () => {
  const path = join(await emptyFolder(), 'stoa.lock')
  const other = JSON.stringify(describeOwner())
  await writeFile(path, other)
  await releaseLock(path, describeOwner())
  assert.equal(await readFile(path, 'utf8'), other)
})
