import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { openEmbedded } from './index.ts'
import { readLock } from './lock-file.ts'
import { isRunning } from './processes.ts'
import { quickly, usedFolder } from './test-folders.ts'

const skip = process.platform === 'linux' ? false : 'processes are described by /proc on Linux only'

const exists = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function until(condition: () => boolean, what: string): Promise<void> {
  const deadline = performance.now() + 60_000
  while (!condition()) {
    assert.ok(performance.now() < deadline, what)
    await delay(5)
  }
}

/** A process that has ended and that its parent does not reap. */
async function makeZombie(): Promise<{ parent: ChildProcess; pid: number }> {
  const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(createInterface(parent.stdout), 'line')
  const pid = Number(line)
  // A shell reaps its children; `sleep` in its place does not.
  await until(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8') === 'sleep\n', 'the shell does not go away')
  process.kill(pid, 'SIGKILL')
  await until(() => !isRunning(pid), 'the process does not end')
  assert.ok(exists(pid), 'a zombie keeps its pid')
  return { parent, pid }
}

/** Writes this pid into both files in which PostgreSQL looks for another server. */
async function recordServer(dataFolder: string, pid: number): Promise<void> {
  const cluster = join(dataFolder, 'postgres')
  const lines = [pid, cluster, 1700000000, 5432, join(dataFolder, 'run'), '']
  await writeFile(join(cluster, 'postmaster.pid'), `${lines.join('\n')}\n`, { mode: 0o600 })
  await mkdir(join(dataFolder, 'run'), { recursive: true, mode: 0o700 })
  await writeFile(join(dataFolder, 'run', '.s.PGSQL.5432.lock'), `${lines.join('\n')}\n`, { mode: 0o600 })
}

test('a dead server that was not reaped does not keep the folder locked', { skip }, async () => {
  const dataFolder = await usedFolder()
  const { parent, pid } = await makeZombie()
  try {
    await recordServer(dataFolder, pid)
    await (await openEmbedded(quickly(dataFolder))).stop()
    assert.ok(exists(pid), 'the pid was taken for the whole test')
  } finally {
    parent.kill()
  }
})

test('a pid that now belongs to another program does not keep the folder closed', { skip }, async () => {
  const dataFolder = await usedFolder()
  const other = spawn('sleep', ['60'])
  try {
    await once(other, 'spawn')
    await recordServer(dataFolder, other.pid ?? 0)
    await (await openEmbedded(quickly(dataFolder))).stop()
    assert.ok(isRunning(other.pid ?? 0))
  } finally {
    other.kill()
  }
})

test('a pid that now belongs to the PostgreSQL of another folder does not keep the folder closed', {
  skip,
}, async () => {
  const [dataFolder, otherFolder] = [await usedFolder(), await usedFolder()]
  const other = await openEmbedded(quickly(otherFolder))
  try {
    const { postgresPid = 0 } = (await readLock(join(otherFolder, 'stoa.lock'))) ?? {}
    await recordServer(dataFolder, postgresPid)
    await (await openEmbedded(quickly(dataFolder))).stop()
    assert.ok(isRunning(postgresPid))
  } finally {
    await other.stop()
  }
})
