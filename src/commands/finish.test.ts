import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

const FINISH = new URL('./finish.ts', import.meta.url).href

const ending = (command: string): { readonly status: number | null; readonly stderr: string } => {
  const script = `const { finish } = await import(${JSON.stringify(FINISH)})
    await finish(${command}, error => error instanceof RangeError)`
  return spawnSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' })
}

test('a command that never settles ends with 1 and one line', () => {
  const { status, stderr } = ending('new Promise(() => undefined)')
  assert.deepEqual([status, stderr], [1, 'stoa: the command ended before it was done; please report this\n'])
})

test('a command that is done ends with 0 and says nothing of itself', () => {
  const { status, stderr } = ending('new Promise(resolve => setTimeout(resolve, 20))')
  assert.deepEqual([status, stderr], [0, ''])
})

test('an expected failure prints one line, any other prints everything, and both exit with 1', () => {
  const expected = ending("Promise.reject(new RangeError('no such school'))")
  assert.deepEqual([expected.status, expected.stderr], [1, 'stoa: no such school\n'])
  const fault = ending("Promise.reject(new TypeError('a fault'))")
  assert.equal(fault.status, 1)
  assert.match(fault.stderr, /TypeError: a fault\n +at /)
})
