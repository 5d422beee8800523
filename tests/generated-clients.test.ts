import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { testApp } from '#testing/app.ts'

const app = testApp()
const execute = promisify(execFile)

const CLIENTS = 'testing/clients'
// Ignored by Git, and below the folder in which the packages of the generated client are installed.
const RESULTS = 'test-results'

const node = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  execute(process.execPath, [...args], { env: { ...process.env, ...env } })

const inFolder = async (work: (folder: string) => Promise<void>): Promise<void> => {
  await mkdir(RESULTS, { recursive: true })
  const folder = await mkdtemp(join(RESULTS, 'client-'))
  await work(folder).finally(() => rm(folder, { recursive: true, force: true }))
}

test('types that openapi-typescript generates compile, and a client with them creates, lists and is refused', async () => {
  const { token } = await app.actor('ada', { scopes: ['courses:read', 'courses:write'] })
  const { text } = await app.send({ path: '/openapi.json' })
  await inFolder(async folder => {
    const description = join(folder, 'openapi.json')
    await writeFile(description, text)
    for (const name of ['calls.ts', 'tsconfig.json'])
      await copyFile(join(CLIENTS, 'typescript', name), join(folder, name))
    const generator = join(CLIENTS, 'node_modules/openapi-typescript/bin/cli.js')
    // Without the option, a field of a request with a default would be required.
    await node([generator, description, '--default-non-nullable=false', '--output', join(folder, 'schema.d.ts')])
    const { stdout: errors } = await node(['node_modules/typescript/bin/tsc', '-p', folder]).catch(error => error)
    assert.equal(errors, '')
    const env = { SCHOOL_URL: app.a.baseUrl, ACCESS_TOKEN: token }
    const { stdout } = await node([join(folder, 'calls.ts')], env)
    const { id, status, code } = JSON.parse(stdout)
    assert.match(id, /^crs_/)
    assert.deepEqual({ status, code }, { status: 'draft', code: 'not_found' })
  })
})
