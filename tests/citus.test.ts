import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { freshSettings, serve, stoa } from '#testing/stoa.ts'

let database: TestDatabase
let env: Record<string, string>
let folder: string

// An extension of that name which does nothing: installed as any other, so that PostgreSQL itself says it is there.
const installNamesake = async (): Promise<void> => {
  folder = await mkdtemp(join(tmpdir(), 'stoa-extension-'))
  const inside = join(folder, 'extension')
  await mkdir(inside)
  await writeFile(join(inside, 'citus.control'), `default_version = '1.0'\nrelocatable = true\n`)
  await writeFile(join(inside, 'citus--1.0.sql'), `select 'nothing';\n`)
  await Promise.all([folder, inside].map(path => chmod(path, 0o755)))
  const owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  await owner.query(`set extension_control_path = '${folder}:$system'`)
  await owner.query('create extension citus').finally(() => owner.end())
}

before(async () => {
  database = await createTestDatabase()
  await installNamesake()
  env = {
    ...(await freshSettings()),
    STOA_DATABASE_URL: database.appUrl,
    STOA_SECRET: 's'.repeat(43),
  }
})
after(async () => {
  await database.drop()
  await rm(env.STOA_DATA ?? '', { recursive: true, force: true })
  await rm(folder, { recursive: true, force: true })
})

const pooler = { STOA_POOLER: 'transaction' }

for (const command of ['serve', 'doctor'])
  for (const [name, more] of [
    ['without a pooler', () => ({})],
    ['where changes would be heard past the pooler', () => ({ ...pooler, STOA_DIRECT_DATABASE_URL: database.appUrl })],
  ] as const)
    test(`${command} refuses a Citus database ${name}, with one line that says what to set`, async () => {
      const { code, err } = await stoa([command], { ...env, ...more() })
      assert.equal(code, 1)
      assert.match(err, /^[^\n]*citus[^\n]*STOA_POOLER=transaction[^\n]*\n$/)
    })

test('serve starts on a Citus database where no change is heard and nothing is kept', async () => {
  const serving = await serve({ ...env, ...pooler })
  serving.child.kill('SIGTERM')
  assert.equal(await serving.ended(), 0)
})
