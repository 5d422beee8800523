import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { type ArchiveEntry, buildArchive } from '#testing/archives.ts'
import { ArchiveError, type ArchiveFile, openArchive } from './contents.ts'
import { findRootFolder } from './names.ts'
import { ZipError } from './zip.ts'

const openFile = async (entry: ArchiveEntry): Promise<ArchiveFile> => {
  const { files } = await openArchive(buildArchive([entry]), { maxFiles: 1, ignoresHidden: false })
  return files[0] ?? assert.fail()
}

/** How many bytes a stream gave, and the fault with which it ended. */
const drain = async (stream: AsyncIterable<Buffer>): Promise<{ readonly bytes: number; readonly fault?: string }> => {
  let bytes = 0
  try {
    for await (const chunk of stream) bytes += chunk.length
    return { bytes }
  } catch (error) {
    assert.ok(error instanceof ZipError, String(error))
    return { bytes, fault: error.fault }
  }
}

test('an entry is unpacked in pieces, and no further than the bound', async () => {
  const data = Buffer.alloc(20_000_000)
  const large = await openFile({ name: 'a.bin', data })
  assert.equal(large.size, 20_000_000)
  let pieces = 0
  for await (const { length } of large.stream(large.size)) {
    pieces += 1
    assert.ok(length <= 65_536)
  }
  assert.ok(pieces > 300)
  for (const method of [0, 8]) {
    const { stream } = await openFile({ name: 'a.bin', data, method })
    const { bytes, fault } = await drain(stream(1_000_000))
    assert.equal(fault, 'too_large')
    assert.ok(bytes > 900_000 && bytes <= 1_000_000, String(bytes))
  }
  const bomb = await openFile({ name: 'a.bin', raw: deflateRawSync(data), method: 8, size: 10 })
  assert.deepEqual([bomb.size, await drain(bomb.stream(bomb.size))], [10, { bytes: 0, fault: 'too_large' }])
})

test('a stream says after its last piece that size or checksum are wrong, and can be read again', async () => {
  const data = 'bread '.repeat(100)
  const whole = await openFile({ name: 'a.txt', data })
  for (const _ of [1, 2]) assert.deepEqual(await drain(whole.stream(600)), { bytes: 600 })
  assert.equal((await whole.read(600)).toString(), data)
  assert.deepEqual(await drain((await openFile({ name: 'a.txt', data, crc: 1 })).stream(600)), {
    bytes: 600,
    fault: 'wrong_checksum',
  })
  assert.deepEqual(await drain((await openFile({ name: 'a.txt', data, size: 700 })).stream(700)), {
    bytes: 600,
    fault: 'wrong_size',
  })
  assert.deepEqual(await drain((await openFile({ name: 'a.txt', data, raw: Buffer.from([0xff]) })).stream(600)), {
    bytes: 0,
    fault: 'unreadable',
  })
})

test('hidden files are files where they are wanted', async () => {
  const archive = buildArchive([{ name: '_rels/.rels', data: 'x' }, { name: '.rels/' }, { name: '__MACOSX/._a' }])
  const kept = await openArchive(archive, { maxFiles: 9, ignoresHidden: false })
  assert.deepEqual([kept.files.map(({ path }) => path), kept.ignored], [['_rels/.rels', '__MACOSX/._a'], 0])
  const visible = await openArchive(archive, { maxFiles: 9, ignoresHidden: true })
  assert.deepEqual([visible.files, visible.ignored], [[], 2])
})

test('a refusal has the problems with the names of their entries', async () => {
  const archive = buildArchive([{ name: '../a' }, { name: 'b', mode: 0o120777 }, { name: 'c' }, { name: 'C' }])
  await assert.rejects(openArchive(archive, { maxFiles: 9, ignoresHidden: true }), error => {
    assert.ok(error instanceof ArchiveError)
    assert.deepEqual(error.problems, [
      { code: 'parent_folder', entry: '../a' },
      { code: 'link', entry: 'b' },
      { code: 'colliding_name', entry: 'C' },
    ])
    return true
  })
})

test('one folder around all files is found, and none where a file is beside it', () => {
  assert.equal(findRootFolder(['bulk/users.csv', 'bulk/a/b.csv']), 'bulk')
  assert.equal(findRootFolder(['bulk/users.csv', 'manifest.csv']), undefined)
  assert.equal(findRootFolder(['a/users.csv', 'b/users.csv']), undefined)
})
