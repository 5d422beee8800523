import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { PASSWORD, startApp } from '#testing/app.ts'
import {
  buildSettings,
  createInstallation,
  emptyInstallation,
  makeBackup,
  restoreInto,
  type TestInstallation,
  testFolder,
} from '#testing/backup.ts'
import { approve, tokenRequest } from '#testing/oauth.ts'
import { type ServerProcess, startProcess } from '#testing/process.ts'
import { stoa } from '#testing/stoa.ts'

let app: Awaited<ReturnType<typeof startApp>>
let source: TestInstallation
let files: string
before(async () => {
  app = await startApp()
  source = await createInstallation(app.database, app.secret)
  files = await testFolder()
})
after(() => app?.stop())

const backedUp = async (from: TestInstallation, name: string) => {
  const file = join(files, name)
  return { file, output: await makeBackup(from, file) }
}

const counts = (of: TestInstallation) =>
  of.database.query<{ schools: string; members: string; clients: string; migrations: string }>(
    `select (select count(*) from schools) as schools, (select count(*) from members) as members,
      (select count(*) from clients) as clients, (select count(*) from stoa.migrations) as migrations`,
  )

const serving = async <T>(to: TestInstallation, work: (server: ServerProcess) => Promise<T>): Promise<T> => {
  const server = await startProcess({ databaseUrl: to.database.appUrl, secret: to.secret })
  try {
    return await work(server)
  } finally {
    await server.stop()
  }
}

suite('stoa restore', () => {
  test('is refused where a school is, in one line, and nothing is touched', async () => {
    const { file } = await backedUp(source, 'refused.stoa')
    const before = await counts(source)
    const { code, out, err } = await source.run('restore', file, '--json')
    assert.deepEqual([code, out], [1, ''])
    assert.match(err, /^stoa: this installation has a school already; .*\n$/)
    assert.deepEqual(await counts(source), before)
  })

  test('is refused where a table that is not ours holds rows', async () => {
    const { file } = await backedUp(source, 'foreign.stoa')
    const target = await emptyInstallation(app.secret, 'stoa')
    await target.database.query('create table notes as select 1 as id')
    const { code, err } = await target.run('restore', file, '--json')
    assert.equal(code, 1)
    assert.match(err, /^stoa: the table public\.notes is not empty; .*\n$/)
    assert.deepEqual(await target.database.query('select id from notes'), [{ id: 1 }])
  })

  test('brings uploaded files back', async () => {
    const folder = join(source.folder, 'objects', 'ab')
    await mkdir(folder, { recursive: true })
    const large = Buffer.alloc(3 << 20, 'crumb')
    await writeFile(join(folder, 'loaf.bin'), large)
    await writeFile(join(folder, 'Łukasz 王.txt'), 'hello')
    await writeFile(join(source.folder, 'objects', 'empty'), '')
    const { file, output } = await backedUp(source, 'objects.stoa')
    assert.deepEqual(output.objects, { files: 3, bytes: large.length + 5 })
    const target = await emptyInstallation(app.secret)
    await restoreInto(target, file)
    const back = join(target.folder, 'objects')
    assert.deepEqual(await readFile(join(back, 'ab', 'loaf.bin')), large)
    assert.equal(await readFile(join(back, 'ab', 'Łukasz 王.txt'), 'utf8'), 'hello')
    assert.equal((await stat(join(back, 'empty'))).size, 0)
  })

  test('with a lost secret continues when an option allows it, and doctor then says what to do', async () => {
    const { file } = await backedUp(source, 'lost.stoa')
    const target = await emptyInstallation('another secret, as long as it has to be')
    const refused = await target.run('restore', file, '--json')
    assert.equal(refused.code, 1)
    assert.match(refused.err, /^stoa: the backup was made under another STOA_SECRET .*--lost-secret\n$/)
    assert.deepEqual(await target.database.query(`select to_regclass('public.schools') as there`), [{ there: null }])
    const { code, err } = await target.run('restore', file, '--lost-secret', '--json')
    assert.equal(code, 0, err)
    assert.match((await target.run('doctor')).out, /FAIL keys \S+: cannot be unsealed with this STOA_SECRET/)
    const closed = await target.run('serve')
    assert.equal(closed.code, 78)
    assert.match(closed.err, /^stoa: the secret in STOA_SECRET does not unseal .*stoa keys replace-lost\n$/)
    const replaced = await target.run('keys', 'replace-lost', '--yes')
    assert.equal(replaced.code, 0, replaced.err)
    assert.doesNotMatch((await target.run('doctor')).out, /FAIL (?:keys|secret)/)
    await serving(target, async ({ port }) => {
      const { exchange } = await approve({ port, school: app.a, email: people.eli.email, password: PASSWORD })
      assert.equal((await tokenRequest(port, app.a, exchange)).status, 200)
    })
  })

  test('needs the owner’s login, a file and a secret, and says so in one line', async () => {
    const { STOA_OWNER_DATABASE_URL: _, ...settings } = buildSettings(source)
    const { file } = await backedUp(source, 'needs.stoa')
    const wrong: [string[], Record<string, string>, RegExp][] = [
      [['backup', join(files, 'x.stoa')], settings, /STOA_OWNER_DATABASE_URL is required/],
      [['restore', file], settings, /STOA_OWNER_DATABASE_URL is required/],
      [['backup'], buildSettings(source), /name one file/],
      [['restore'], buildSettings(source), /name one file/],
      [['restore', join(files, 'nothing')], buildSettings(source), /cannot be read/],
      [['restore', files], buildSettings(source), /EISDIR/],
      [
        ['restore', file],
        { ...buildSettings(source), STOA_SECRET: '' },
        /the secret of the backed-up installation is needed/,
      ],
      [['backup', join(files, 'x.stoa')], { STOA_DATA: join(files, 'none') }, /there is no installation in/],
    ]
    for (const [args, env, expected] of wrong) {
      const { code, out, err } = await stoa([...args, '--json'], env)
      assert.deepEqual([code, out], [1, ''], err)
      assert.match(err, expected)
      assert.equal(err.trim().split('\n').length, 1, err)
    }
    assert.ok(!(await readdir(files)).some(name => name.startsWith('x.stoa') || name === 'none'))
  })
})
