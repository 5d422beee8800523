import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, test } from 'node:test'
import { Failed, type Run } from '#src/commands/command.ts'
import { restore } from '#src/commands/restore.ts'
import { readConfig } from '#src/config.ts'
import { type Checksums, computeSeal, entryNames, type Manifest } from '#src/db/backup/manifest.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { startApp } from '#testing/app.ts'
import {
  buildSettings,
  createInstallation,
  emptyInstallation,
  entriesIn,
  type TestInstallation,
  testFolder,
  writeEntries,
} from '#testing/backup.ts'

let app: Awaited<ReturnType<typeof startApp>>
let files: string
let whole: string
let target: TestInstallation
before(async () => {
  app = await startApp()
  const source = await createInstallation(app.database, app.secret)
  await writeObject(source)
  files = await testFolder()
  whole = join(files, 'whole.stoa')
  const { code, err } = await source.run('backup', whole)
  assert.equal(code, 0, err)
  target = await emptyInstallation(app.secret)
})
after(() => app?.stop())

const writeObject = async ({ folder }: TestInstallation): Promise<void> => {
  await mkdir(join(folder, 'objects'))
  await writeFile(join(folder, 'objects', 'loaf'), 'crumb')
}

type Entries = Map<string, Buffer>

const parseJson = <T>(entries: Entries, name: string): T => JSON.parse(String(entries.get(name))) as T
const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))

/** Changes manifest and checksums with the installation's secret, so that all checksums and the seal match again. */
const resealed = (entries: Entries, change: (manifest: Manifest, checksums: Checksums) => void): Entries => {
  const manifest = parseJson<Manifest>(entries, entryNames.manifest)
  const checksums = parseJson<Checksums>(entries, entryNames.checksums)
  change(manifest, checksums)
  const head = json(manifest)
  const tail = json({ ...checksums, manifest: sha256(head).toString('hex') })
  return entries
    .set(entryNames.manifest, head)
    .set(entryNames.checksums, tail)
    .set(entryNames.seal, computeSeal(app.secret, tail))
}

const members = 'tables/public.members/000001'

/** The same length, other content: Ada becomes Adi. */
const renamed = (entries: Entries): Buffer => Buffer.from(String(entries.get(members)).replaceAll('Ada', 'Adi'))

const sumsOfMembers = (checksums: Checksums) => {
  const sum = checksums.tables.find(({ name }) => name === 'public.members')
  if (sum === undefined) throw new Error('no members')
  return sum
}

/** The command itself, in this process: a start of Node for each of these cases would take a minute. */
const refused = async (file: string, expected: RegExp, options: Run['options'] = {}): Promise<void> => {
  const output: unknown[] = []
  const config = readConfig(buildSettings(target))
  const run: Run = {
    config,
    usage: restore.usage,
    positionals: [file],
    options,
    input: () => Readable.from([]),
    tell: value => output.push(value),
    progress: () => undefined,
  }
  const isExpected = (error: unknown): boolean =>
    error instanceof Failed && expected.test(error.message) && !error.message.includes('\n')
  await assert.rejects(restore.run(run), isExpected, `${file} ${expected}`)
  assert.deepEqual(output, [])
  const [there] = await target.database.query(
    `select to_regclass('public.schools') as schools, to_regnamespace('stoa') as stoa`,
  )
  assert.deepEqual(there, { schools: null, stoa: null })
}

const rewritten = async (name: string, change: (entries: Entries) => Entries): Promise<string> => {
  const file = join(files, name)
  await writeEntries(file, change(await entriesIn(whole)))
  return file
}

test('a file that is cut, changed or no backup at all is refused in one line, and nothing is restored', async () => {
  const bytes = await readFile(whole)
  for (const [part, expected] of [
    [0, /is not a backup of Stoa/],
    [200, /is not a backup of Stoa/],
    [Math.floor(bytes.length * 0.6), /^the backup is damaged.*cut short/],
    [bytes.length - 1, /^the backup is damaged.*cut short/],
  ] as const) {
    const file = join(files, `cut-${part}`)
    await writeFile(file, bytes.subarray(0, part))
    await refused(file, expected)
  }
  const flipped = Buffer.from(bytes)
  const at = Math.floor(bytes.length * 0.7)
  flipped[at] = (flipped[at] ?? 0) ^ 0x10
  await writeFile(join(files, 'flipped'), flipped)
  await refused(join(files, 'flipped'), /^the backup is damaged or was changed/)
  await writeFile(join(files, 'text'), 'not a backup')
  await refused(join(files, 'text'), /is not a backup of Stoa/)
})

test('a row that was changed without the secret is detected, with and without new checksums', async () => {
  const changed = await rewritten('row', entries => entries.set(members, renamed(entries)))
  await refused(changed, /table public\.members is not what was written/)
  const summed = await rewritten('summed', entries => {
    const seal = entries.get(entryNames.seal) ?? Buffer.alloc(0)
    const body = renamed(entries)
    return resealed(entries.set(members, body), (_, checksums) => {
      sumsOfMembers(checksums).sha256 = sha256(body).toString('hex')
    }).set(entryNames.seal, seal)
  })
  await refused(summed, /its seal does not match/)
})

test('entries that are missing, twice, out of place or without end are refused', async () => {
  const without = (name: string) => (entries: Entries) => {
    entries.delete(name)
    return entries
  }
  await refused(await rewritten('no-seal', without(entryNames.seal)), /entries are not those of a backup/)
  await refused(await rewritten('no-sums', without(entryNames.checksums)), /entries are not those of a backup/)
  await refused(await rewritten('no-members', without(members)), /table public\.members is not what was written/)
  await refused(await rewritten('no-object', without('objects/loaf')), /the objects are not what was written/)
  await refused(await rewritten('no-manifest', without(entryNames.manifest)), /is not a backup of Stoa/)
  const more = (name: string) => (entries: Entries) => entries.set(name, Buffer.from('x'))
  await refused(await rewritten('third-piece', more('tables/public.members/000003')), /out of place/)
  await refused(await rewritten('strange', more('readme.txt')), /entries are not those of a backup/)
})

test('another format, a newer Stoa, another history, an unknown table or column: each is named', async () => {
  const cases: [string, RegExp, (manifest: Manifest, checksums: Checksums) => void][] = [
    ['format', /has format 2 and this Stoa reads format 1/, manifest => Object.assign(manifest, { format: 2 })],
    [
      'newer',
      /knows 0999_ovens\.sql, and this one does not; update it/,
      ({ migrations }) => migrations.push({ name: '0999_ovens.sql', sha256: 'a'.repeat(64) }),
    ],
    [
      'history',
      /made after another 0001_schools\.sql/,
      ({ migrations }) => Object.assign(migrations[0] ?? {}, { sha256: 'a'.repeat(64) }),
    ],
    [
      'table',
      /holds a table public\.ovens that Stoa does not have/,
      ({ tables }, checksums) => {
        tables.push({ name: 'public.ovens', columns: ['id'] })
        checksums.tables.push({
          name: 'public.ovens',
          rows: 0,
          bytes: 0,
          pieces: 0,
          sha256: sha256('').toString('hex'),
        })
      },
    ],
    [
      'column',
      /table public\.hosts of the backup has other columns/,
      ({ tables }) => tables.find(({ name }) => name === 'public.hosts')?.columns.push('oven'),
    ],
    [
      'lacks',
      /lacks the table public\.audit_log/,
      (manifest, checksums) => {
        manifest.tables = manifest.tables.filter(({ name }) => name !== 'public.audit_log')
        checksums.tables = checksums.tables.filter(({ name }) => name !== 'public.audit_log')
      },
    ],
    ['injected', /manifest is not valid/, ({ tables }) => tables.push({ name: 'public.x"; --', columns: ['a'] })],
  ]
  for (const [name, expected, change] of cases)
    await refused(await rewritten(name, entries => resealed(entries, change)), expected)
})

test('an object whose name leads out of its folder is refused, also with a lost secret', async () => {
  const file = await rewritten('outside', entries => {
    entries.delete('objects/loaf')
    const kept = [...entries].filter(([name]) => name.startsWith('checksums'))
    for (const [name] of kept) entries.delete(name)
    entries.set('objects/../../outside', Buffer.from('crumb'))
    for (const [name, body] of kept) entries.set(name, body)
    return entries
  })
  await refused(file, /entries are not those of a backup/)
  await refused(file, /entries are not those of a backup/, { 'lost-secret': true })
  await assert.rejects(stat(join(target.folder, '..', 'outside')))
  assert.ok(!(await readdir(target.folder)).includes('objects'))
})

test('the whole file, for comparison, is restored', async () => {
  const { code, err } = await target.run('restore', whole, '--json')
  assert.equal(code, 0, err)
  assert.equal(await readFile(join(target.folder, 'objects', 'loaf'), 'utf8'), 'crumb')
})
