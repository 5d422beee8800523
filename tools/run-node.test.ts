import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { until } from '#testing/until.ts'
import { runNode } from './mutation/run-node.ts'

let folder: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stoa-run-node-'))
})
after(() => rm(folder, { recursive: true }))

const environment = (): NodeJS.ProcessEnv => {
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env
  return env
}

const run = async (program: string, timeout: number): Promise<boolean> => {
  const file = join(folder, 'program.mjs')
  await writeFile(file, program)
  return runNode([file], { folder, env: environment(), timeout })
}

// Starts a process that loops without end, and then does so itself.
const loops = (detached: boolean): string => `
  import { spawn } from 'node:child_process'
  import { writeFileSync } from 'node:fs'
  const child = spawn(process.execPath, ['-e', 'for (;;);'], { detached: ${detached}, stdio: ['ignore', 'inherit', 'ignore'] })
  writeFileSync('pids', [process.pid, child.pid].join(' '))
  for (;;);`

const isRunning = async (pid: number): Promise<boolean> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  // A process that has ended stays a zombie until its parent asks for its exit code.
  return stat !== undefined && !/\) [ZX] /.test(stat)
}

const untilEnded = async (): Promise<void> => {
  const pids = (await readFile(join(folder, 'pids'), 'utf8')).split(' ').map(Number)
  assert.equal(pids.length, 2)
  for (const pid of pids) await until(async () => !(await isRunning(pid)), `the end of process ${pid}`)
}

suite('a program of the mutation tool', () => {
  test('succeeds when its exit code is 0', async () => {
    assert.equal(await run('process.exit(0)', 20_000), true)
    assert.equal(await run('process.exit(1)', 20_000), false)
  })

  test('is killed at the first failed test', async () => {
    assert.equal(await run(`console.log('ok 1\\nnot ok 2'); setInterval(() => {}, 1000)`, 60_000), false)
  })

  const options = { skip: process.platform !== 'linux' && 'processes are looked up in /proc' }

  test('is killed with its whole process group at the timeout', options, async () => {
    assert.equal(await run(loops(false), 1500), false)
    await untilEnded()
  })

  test(
    'is killed at the timeout although a process that left the group has its output open, and that process ends too',
    options,
    async () => {
      assert.equal(await run(loops(true), 1500), false)
      await untilEnded()
    },
  )
})
