import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { testApp } from '#testing/app.ts'

const app = testApp()
const execute = promisify(execFile)

const BIN = resolve('.ci/python/bin')
const INSTALL =
  'python3 -m venv .ci/python && .ci/python/bin/pip install --require-hashes -r testing/clients/python/requirements.txt'

test('openapi-python-client generates every operation without a warning, and its client creates, lists and is refused', async () => {
  assert.ok(existsSync(join(BIN, 'openapi-python-client')), `run: ${INSTALL}`)
  const { token } = await app.actor('ada', { scopes: ['courses:read', 'courses:write'] })
  const { text } = await app.send({ path: '/openapi.json' })
  const folder = await mkdtemp(join(tmpdir(), 'stoa-python-'))
  try {
    const path = (name: string): string => join(folder, name)
    await writeFile(path('openapi.json'), text)
    // The hooks that format the generated code need a program that is not installed.
    await writeFile(path('config.yaml'), 'post_hooks: []\n')
    const generating = [
      'generate',
      '--path',
      path('openapi.json'),
      '--output-path',
      path('school_client'),
      '--meta',
      'none',
    ]
    const made = await execute(join(BIN, 'openapi-python-client'), [...generating, '--config', path('config.yaml')])
    assert.doesNotMatch(`${made.stdout}${made.stderr}`, /warning|error/i)
    const env = { ...process.env, PYTHONPATH: folder, SCHOOL_URL: app.a.baseUrl, ACCESS_TOKEN: token }
    const { stdout } = await execute(join(BIN, 'python'), [resolve('testing/clients/python/calls.py')], { env })
    const { id, status, code } = JSON.parse(stdout)
    assert.match(id, /^crs_/)
    assert.deepEqual({ status, code }, { status: 'draft', code: 'not_found' })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
