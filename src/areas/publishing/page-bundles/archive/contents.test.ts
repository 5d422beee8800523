import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { type ArchiveEntry, buildArchive, buildSite } from '#testing/archives.ts'
import { readBundle } from './contents.rules.ts'

const INDEX: ArchiveEntry = { name: 'index.html', data: '<h1>Bread</h1>' }

const unpackBundle = async (archive: Buffer) => {
  const bundle = await readBundle(archive)
  if ('problems' in bundle) throw new Error(JSON.stringify(bundle.problems))
  return bundle
}

const readProblems = async (archive: Buffer): Promise<(readonly [string, string | null])[]> => {
  const bundle = await readBundle(archive)
  return 'problems' in bundle ? bundle.problems.map(({ code, entry }) => [code, entry] as const) : []
}

/** What is wrong with an archive that has a good page and these entries. */
const problemsWith = (...entries: readonly ArchiveEntry[]) => readProblems(buildArchive([INDEX, ...entries]))

test('a bundle has the files of an archive with their hashes, without folders, hidden files and leftovers', async () => {
  const { files, ignored, rootFolder } = await unpackBundle(
    buildArchive([
      { name: 'css/' },
      { name: 'css/bread.css', data: 'h1 { color: brown }' },
      INDEX,
      { name: 'empty.txt' },
      { name: 'São João/pão.txt', data: 'Pão', method: 0 },
      { name: '.env', data: 'SECRET=1' },
      { name: '.git/config', data: 'x' },
      { name: '__MACOSX/._index.html', data: 'x' },
      { name: 'css/.DS_Store', data: 'x' },
    ]),
  )
  const hash = (text: string) => createHash('sha256').update(text).digest('hex')
  assert.deepEqual(
    files.map(({ path, sha256, size }) => [path, sha256.toString('hex'), size]),
    [
      ['css/bread.css', hash('h1 { color: brown }'), 19],
      ['index.html', hash('<h1>Bread</h1>'), 14],
      ['empty.txt', hash(''), 0],
      ['São João/pão.txt', hash('Pão'), 4],
    ],
  )
  assert.deepEqual([ignored, rootFolder], [4, null])
  assert.equal((await files[0]?.read())?.toString(), 'h1 { color: brown }')
})

test('a folder that contains everything is the root of the page; its index.html is required', async () => {
  const { files, rootFolder } = await unpackBundle(
    buildSite({ 'dist/index.html': 'a', 'dist/js/a.js': 'b', '.DS_Store': 'x' }),
  )
  assert.deepEqual([files.map(({ path }) => path), rootFolder], [['index.html', 'js/a.js'], 'dist'])
  assert.deepEqual(await readProblems(buildSite({ 'dist/index.html': 'a', 'b.txt': 'b' })), [['index_missing', null]])
  assert.deepEqual(await readProblems(buildSite({ 'INDEX.HTML': 'a' })), [['index_missing', null]])
  assert.deepEqual(await readProblems(buildArchive([])), [['index_missing', null]])
})

test('names with decomposed letters are composed, as addresses have them', async () => {
  const { files } = await unpackBundle(buildSite({ 'index.html': 'a', ['pão.txt'.normalize('NFD')]: 'b' }))
  assert.equal(files[1]?.path, 'pão.txt')
})

const refusedNames: readonly (readonly [code: string, name: string | Buffer, shown?: string])[] = [
  ['absolute_path', '/etc/passwd'],
  ['absolute_path', '//host/share'],
  ['absolute_path', 'C:/windows/win.ini'],
  ['absolute_path', 'c:bread.txt'],
  ['absolute_path', '/'],
  ['parent_folder', '../bread.txt'],
  ['parent_folder', 'a/../../bread.txt'],
  ['parent_folder', 'a/..'],
  ['parent_folder', '../'],
  ['parent_folder', './bread.txt'],
  ['parent_folder', '.git/../../x'],
  ['backslash', '..\\bread.txt'],
  ['backslash', 'a\\b.txt'],
  ['control_character', 'a\0.html', 'a\ufffd.html'],
  ['control_character', 'a\n.html', 'a\ufffd.html'],
  ['control_character', 'a\u202egnp.html', 'a\ufffdgnp.html'],
  ['empty_name', ''],
  ['empty_name', 'a//b.txt'],
  ['empty_name', 'a//'],
  ['device_name', 'CON'],
  ['device_name', 'aux.html'],
  ['device_name', 'a/nul/b.txt'],
  ['device_name', 'com1.txt.html'],
  ['device_name', 'LPT9 .txt'],
  ['name_too_long', `${'a'.repeat(256)}.txt`],
  ['name_too_long', Array.from({ length: 8 }, () => 'b'.repeat(150)).join('/')],
  ['too_deep', `${'a/'.repeat(20)}b.txt`],
  ['not_utf8', Buffer.from([0x70, 0xe3, 0x6f, 0x2e, 0x74, 0x78, 0x74]), 'p\ufffdo.txt'],
  ['not_utf8', Buffer.from([0xc0, 0xae, 0xc0, 0xae, 0x2f, 0x61]), '\ufffd\ufffd\ufffd\ufffd/a'],
  ['not_utf8', Buffer.from('caf\x82.txt', 'latin1'), 'caf\ufffd.txt'],
  ['not_utf8', Buffer.from([0xff, 0xfe, 0x61, 0x00]), '\ufffd\ufffda\ufffd'],
  ['backslash', '..\\..\\'],
  ['parent_folder', 'a/%2e/../b'],
  ['device_name', 'conin$'],
  ['device_name', 'COM¹.js'],
  ['not_utf8', Buffer.from([0xed, 0xa0, 0x80, 0x2e, 0x61]), '\ufffd\ufffd\ufffd.a'],
]

test('an entry whose name could lead elsewhere, or mean another file, is refused by its name', async () => {
  for (const [code, name, shown] of refusedNames)
    assert.deepEqual(
      await problemsWith({ name, data: 'x' }),
      [[code, (shown ?? String(name)).slice(0, 300)]],
      `${code}: ${JSON.stringify(name)}`,
    )
})

test('names that are the same, differ in case, or are a file and a folder are refused', async () => {
  const cases: readonly (readonly [code: string, first: string, second: string])[] = [
    ['duplicate_name', 'a.txt', 'a.txt'],
    ['colliding_name', 'a.txt', 'A.TXT'],
    ['colliding_name', 'css/Straße.css', 'css/STRASSE.css'],
    ['duplicate_name', 'pão.txt', 'pão.txt'.normalize('NFD')],
    ['colliding_name', 'a', 'a/b.txt'],
    ['colliding_name', 'a/b.txt', 'a'],
    ['colliding_name', 'a/b.txt', 'A'],
  ]
  for (const [code, first, second] of cases) {
    const found = await problemsWith({ name: first, data: '1' }, { name: second, data: '2' })
    assert.deepEqual(found, [[code, second.normalize('NFC')]], `${first} and ${second}`)
  }
  assert.deepEqual(await problemsWith({ name: 'a/b', data: '1' }, { name: 'a/c', data: '2' }), [])
})

// PKWARE's Unix field with the name of the file to which a hard link leads.
const HARD_LINK = Buffer.concat([Buffer.from([0x0d, 0x00, 0x16, 0x00]), Buffer.alloc(12), Buffer.from('index.html')])

test('links, devices, encrypted entries and unknown methods are refused by their names', async () => {
  const cases: readonly (readonly [code: string, Omit<ArchiveEntry, 'name'>])[] = [
    ['link', { mode: 0o120777, data: '/etc/passwd' }],
    ['link', { extra: HARD_LINK }],
    ['special_file', { mode: 0o020666 }],
    ['special_file', { mode: 0o060666 }],
    ['special_file', { mode: 0o010644 }],
    ['special_file', { mode: 0o140644 }],
    ['special_file', { mode: 0o040755 }],
    ['encrypted', { flags: 0x0801, data: 'secret' }],
    ['encrypted', { flags: 0x2800, data: 'secret' }],
    ['unsupported_method', { method: 12, data: 'BZh' }],
    ['unsupported_method', { method: 9, data: 'deflate64' }],
    ['unsupported_method', { method: 99, data: 'aes' }],
  ]
  for (const [code, entry] of cases)
    assert.deepEqual(await problemsWith({ name: 'x.txt', ...entry }), [[code, 'x.txt']], JSON.stringify(entry))
  // A strongly encrypted directory does not say what its entries are called.
  assert.deepEqual(await problemsWith({ name: 'x.txt', flags: 0x0841 }), [['unreadable', '#2']])
  assert.deepEqual(await problemsWith({ name: 'x/', mode: 0o100644 }), [['special_file', 'x/']])
})

test('entries whose sizes, checksums or two names do not agree are refused by their names', async () => {
  const data = 'bread '.repeat(100)
  const cases: readonly (readonly [code: string, Omit<ArchiveEntry, 'name'>])[] = [
    ['wrong_size', { data, size: 599 }],
    ['wrong_size', { data, size: 601 }],
    ['wrong_size', { data, size: 0 }],
    ['wrong_size', { data, method: 0, size: 599 }],
    ['wrong_checksum', { data, crc: 1 }],
    ['wrong_checksum', { data, method: 0, crc: 1 }],
    ['different_names', { data, localName: 'y.txt' }],
    ['unreadable', { data, compressedSize: 3 }],
    ['unreadable', { data, raw: Buffer.from([0xff, 0xff, 0xff]) }],
    ['unreadable', { data, compressedSize: 1_000_000 }],
    ['unreadable', { data, offset: 0x7fff_0000 }],
    ['unreadable', { data, offset: 5 }],
    ['unreadable', { data, isListedOnly: true }],
  ]
  for (const [code, entry] of cases)
    assert.deepEqual(await problemsWith({ name: 'x.txt', ...entry }), [[code, 'x.txt']], JSON.stringify(entry))
})

test('sizes in 64 bits and sizes after the data are read; those that lie are refused', async () => {
  const data = 'bread '.repeat(100)
  for (const form of [{ isZip64: true }, { hasDescriptor: true }, { isZip64: true, hasDescriptor: true }]) {
    assert.deepEqual(await problemsWith({ name: 'x.txt', data, ...form }), [], JSON.stringify(form))
    assert.deepEqual(await problemsWith({ name: 'x.txt', data, size: 1, ...form }), [['wrong_size', 'x.txt']])
    assert.deepEqual(await problemsWith({ name: 'x.txt', data, crc: 1, ...form }), [['wrong_checksum', 'x.txt']])
  }
  const huge = { name: 'x.txt', data, isZip64: true }
  for (const size of [2 ** 40, Number.MAX_SAFE_INTEGER])
    assert.deepEqual(await problemsWith({ ...huge, size }), [['wrong_size', 'x.txt']], String(size))
  assert.deepEqual(await problemsWith({ ...huge, compressedSize: 2 ** 40 }), [['unreadable', 'x.txt']])
  // A field that is announced, and is not there or too short.
  for (const extra of [Buffer.alloc(0), Buffer.from([1, 0, 4, 0, 0, 0, 0, 0])])
    assert.equal((await problemsWith({ ...huge, extra }))[0]?.[0], 'unreadable', extra.toString('hex'))
})

test('entries that share bytes of the archive are refused, as in bombs that are small and have no nested archive', async () => {
  const inner: ArchiveEntry = { name: 'inner.txt', data: 'bread', method: 0 }
  const outer: ArchiveEntry = { name: 'outer.bin', data: buildArchive([inner]), method: 0 }
  // The offset of the directory is the length of the entries before it.
  const before = buildArchive([INDEX])
  const offset = before.readUInt32LE(before.length - 6) + 30 + 'outer.bin'.length
  const listed = { ...inner, isListedOnly: true, offset }
  assert.deepEqual(await problemsWith(outer, listed), [['overlapping', 'inner.txt']])
  assert.deepEqual(await problemsWith(listed, outer), [['overlapping', 'outer.bin']])
  assert.deepEqual(await problemsWith(outer), [], 'an archive in the archive is a file like others')
})

test('what counts is what was inflated: 10 MB a file, 200 MB in all, whatever the archive says', async () => {
  const most = Buffer.alloc(10_000_000)
  const raw = deflateRawSync(most)
  assert.deepEqual(await problemsWith({ name: 'most.bin', data: most }), [])
  const bomb = deflateRawSync(Buffer.alloc(10_000_001))
  const more = { raw: bomb, method: 8 }
  assert.deepEqual(await problemsWith({ name: 'bomb.bin', ...more, size: 10 }), [['file_too_large', 'bomb.bin']])
  assert.deepEqual(await problemsWith({ name: 'bomb.bin', ...more, size: 10_000_001 }), [
    ['file_too_large', 'bomb.bin'],
  ])
  const stored = { name: 'stored.bin', data: Buffer.alloc(10_000_001), method: 0 }
  assert.deepEqual(await problemsWith(stored), [['file_too_large', 'stored.bin']])
  // Many records of one compressed file: small, and large once it is inflated.
  const many = Array.from({ length: 20 }, (_, at) => ({ name: `${at}.bin`, data: most, raw }))
  assert.deepEqual(await problemsWith(...many), [['bundle_too_large', '19.bin']])
})

test('an archive has at most 2,000 files and 10,000 entries, and its directory says how many', async () => {
  const files = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `${at}.txt` }))
  assert.deepEqual(await problemsWith(...files(1999)), [])
  assert.deepEqual(await problemsWith(...files(2000)), [['too_many_files', '1999.txt']])
  assert.deepEqual(await readProblems(buildArchive([INDEX], 10_001)), [['too_many_entries', null]])
  assert.deepEqual(await readProblems(buildArchive([INDEX], 3)), [['unreadable', '#2']])
})

test('bytes that are no archive, and archives that end early, are refused', async () => {
  for (const bytes of [
    Buffer.alloc(0),
    Buffer.from('PK\x05\x06'),
    Buffer.from('<h1>Bread</h1>'),
    Buffer.alloc(100_000),
  ])
    assert.deepEqual(await readProblems(bytes), [['not_an_archive', null]])
  const whole = buildSite({ 'index.html': 'a', 'b.txt': 'b' })
  for (let length = 0; length < whole.length; length += 1)
    assert.notDeepEqual(await readProblems(whole.subarray(0, length)), [], `${length} of ${whole.length} bytes`)
})

test('a refusal names up to 20 entries at once', async () => {
  const names = Array.from({ length: 30 }, (_, at) => ({ name: `../${at}.txt` }))
  const found = await problemsWith(...names)
  assert.deepEqual(
    [found.length, found[0], found.at(-1)],
    [20, ['parent_folder', '../0.txt'], ['parent_folder', '../19.txt']],
  )
})

test('an archive with any bytes changed is read without an error, and has no file beyond the limits', async () => {
  const whole = buildSite({
    'index.html': '<h1>Bread</h1>',
    'css/bread.css': 'h1 { color: brown }',
    'js/a.js': 'let a = 1',
  })
  const change = fc.tuple(fc.nat(whole.length - 1), fc.nat(255))
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async changes => {
      const bytes = Buffer.from(whole)
      for (const [at, value] of changes) bytes[at] = value
      const bundle = await readBundle(bytes)
      if ('problems' in bundle) return assert.ok(bundle.problems.length > 0)
      for (const { path, size } of bundle.files) {
        assert.ok(!path.startsWith('/') && !/(?:^|\/)\.{1,2}(?:\/|$)|\\/.test(path), path)
        assert.ok(size <= 10_000_000)
      }
    }),
    { numRuns: 300 },
  )
})
