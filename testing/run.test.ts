import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const RUN = fileURLToPath(new URL('run.ts', import.meta.url))

const TESTS = {
  passing: `import { after, before, test } from 'node:test'
let isOpen = false
before(() => { isOpen = true })
after(() => { isOpen = false })
test('passes', () => { if (!isOpen) throw new Error('the hook did not run') })`,
  flaky: `import { existsSync, writeFileSync } from 'node:fs'
import { before, suite, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
let isOpen = false
before(async () => { isOpen = await pause(20, true) })
before(() => { if (!isOpen) throw new Error('the first hook has not ended') })
suite('suite', () => test('fails once', () => {
  if (existsSync('failed-once')) return
  writeFileSync('failed-once', '')
  throw new Error('not yet')
}))`,
  failing: `import { test } from 'node:test'
test('fails', () => { throw new Error('never') })`,
  hook: `import { after, test } from 'node:test'
after(() => { throw new Error('left open') })
test('passes', () => undefined)`,
  missing: `import './not-there.ts'`,
  declared: `import { declare } from './declare.ts'
declare()`,
  unawaited: `import { suite, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
suite('suite', () => {
  test('throws in a timer', async () => {
    setTimeout(() => { throw new Error('thrown in a timer') }, 5)
    await pause(1000)
  })
  test('rejects a promise', async () => {
    void pause(5).then(() => { throw new Error('rejected') })
    await pause(1000)
  })
  test('passes', () => pause(5))
})`,
  exits: `import { test } from 'node:test'
test('exits', () => process.exit(3))`,
}

// Tests that a module declares for several files.
const DECLARE = `import { test } from 'node:test'
export const declare = () => {
  test('passes', () => undefined)
  test('fails', () => { throw new Error('never') })
  test('passes, too', () => undefined)
}`

type TestName = keyof typeof TESTS

// The runner refuses to run inside a test unless its child process does not see that.
const environment = () => {
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env
  return { ...env, STOA_TEST_CHROMIUM: '/nowhere/chromium' }
}

const runTests = async (names: readonly TestName[], kind = 'test') => {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-runner-'))
  const files = names.map((name, index) => join(folder, `${index}-${name}.${kind}.ts`))
  for (const [index, name] of names.entries()) await writeFile(files[index] ?? '', TESTS[name])
  await writeFile(join(folder, 'declare.ts'), DECLARE)
  const child = spawn(process.execPath, [RUN, ...files], { cwd: folder, env: environment() })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      output += String(chunk)
    })
  const [code] = await once(child, 'close')
  const log = await readFile(join(folder, 'test-results/flaky.jsonl'), 'utf8').catch(() => '')
  const durations = JSON.parse(await readFile(join(folder, 'test-results/durations.json'), 'utf8').catch(() => '{}'))
  await rm(folder, { recursive: true, force: true })
  return { code, output, flaky: log.split('\n').filter(line => line !== ''), durations }
}

suite('the test runner', () => {
  test('files that pass pass, hooks at their top level included', async () => {
    const { code, output, flaky } = await runTests(['passing', 'passing'])
    assert.deepEqual([code, flaky], [0, []], output)
    assert.match(output, /^ℹ pass 2$/m)
  })

  test('the durations of files are kept, and those of many files are listed', async () => {
    for (const kind of ['prove', 'test']) {
      const names = Array.from({ length: 6 }, () => 'passing' as const)
      const { output, durations } = await runTests(names, kind)
      assert.equal(Object.keys(durations).filter(file => file.endsWith(`-passing.${kind}.ts`)).length, 6, output)
      assert.match(output, new RegExp(`^Slowest files:\n +\\d+\\.\\d s .*-passing\\.${kind}\\.ts\n`, 'm'))
      assert.match(output, /^Slowest tests:\n +\d+\.\d s .*-passing\.\w+\.ts: passes$/m)
    }
  })

  test('a file that fails and then passes alone is reported as flaky and does not fail the run', async () => {
    const { code, output, flaky } = await runTests(['passing', 'flaky'])
    assert.equal(code, 0, output)
    assert.match(output, /^FLAKY .*1-flaky\.test\.ts \(seed \w+\) failed, then passed alone:\n.*fails once\n.*not yet/m)
    assert.match(output, /^0 failed, 1 flaky \(at most 3 may be flaky\)$/m)
    assert.equal(flaky.length, 1)
    assert.match(JSON.parse(flaky[0] ?? '').error, /not yet/)
  })

  test('a file that fails twice fails the run: by a test, a hook, an import or the end of its process', async () => {
    for (const name of ['failing', 'hook', 'missing', 'exits'] as const) {
      const { code, output } = await runTests([name, 'passing'])
      assert.equal(code, 1, output)
      assert.match(output, new RegExp(`^FAILED .*0-${name}\\.test\\.ts$`, 'm'))
      assert.match(output, /^1 failed, 0 flaky/m)
      assert.doesNotMatch(output, /FLAKY/)
    }
  })

  test('a failed test that another module declares fails its file, in a process of its own and in a shared one', async () => {
    for (const kind of ['prove', 'test']) {
      const { code, output } = await runTests(['passing', 'declared'], kind)
      assert.equal(code, 1, output)
      assert.match(output, new RegExp(`^FAILED .*1-declared\\.${kind}\\.ts$`, 'm'))
      assert.match(output, /^1 failed, 0 flaky/m)
    }
  })

  test('an error that nothing awaits fails the test that caused it, and no other one', async () => {
    for (const kind of ['prove', 'test']) {
      const { code, output } = await runTests(['unawaited', 'passing'], kind)
      assert.equal(code, 1, output)
      assert.match(output, /✖ throws in a timer[\s\S]*✖ rejects a promise[\s\S]*✔ passes/)
      assert.match(output, /^ℹ fail 2$/m)
      assert.match(output, /^FAILED .*0-unawaited/m)
    }
  })

  test('browser tests fail at once where there is no Chromium, and the message says what to install', async () => {
    const { code, output } = await runTests(['passing'], 'browser')
    assert.deepEqual([code, output.split('\n').length], [1, 2], output)
    assert.match(output, /^the browser tests need Chromium: install it .*STOA_TEST_CHROMIUM/)
  })

  test('more failed files than may be flaky fail the run', async () => {
    const { code, output } = await runTests(['failing', 'failing', 'failing', 'failing'])
    assert.equal(code, 1)
    assert.match(output, /^4 failed, 0 flaky/m)
  })
})
