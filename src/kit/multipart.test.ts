import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { MultipartError, parseBoundary, parseMultipart } from './multipart.ts'

const seed = Number(process.env.STOA_TEST_SEED ?? 20_261_123)
const BOUNDARY = '----xYz'

type Sent = { readonly name: string; readonly filename?: string; readonly bytes: Uint8Array }

const escaped = (text: string): string =>
  text.replace(/["\r\n]/g, one => `%${one.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`)

const written = (parts: readonly Sent[]): Buffer =>
  Buffer.concat([
    ...parts.flatMap(({ name, filename, bytes }) => [
      Buffer.from(
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${escaped(name)}"${filename === undefined ? '' : `; filename="${escaped(filename)}"\r\nContent-Type: text/plain`}\r\n\r\n`,
      ),
      bytes,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ])

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const read = async (bytes: Uint8Array, size: number, isSkipping = false): Promise<Sent[]> => {
  const parts: Sent[] = []
  for await (const { name, filename, content } of parseMultipart(inChunks(bytes, size), BOUNDARY)) {
    const chunks: Buffer[] = []
    if (!isSkipping) for await (const chunk of content) chunks.push(chunk)
    parts.push({ name, ...(filename === undefined ? {} : { filename }), bytes: Buffer.concat(chunks) })
  }
  return parts
}

// Bytes that look like delimiters and their beginnings.
const content = fc.array(
  fc.oneof(
    fc.constantFrom('\r\n', '\r', '\n', '-', '--', `\r\n--${BOUNDARY.slice(0, -1)}`, `--${BOUNDARY}`, '\0'),
    fc.string(),
  ),
)
const part = fc.record({
  name: fc.string({ unit: 'binary' }).map(text => text.toWellFormed().replace(/%/g, '')),
  filename: fc.option(
    fc.string().map(text => text.replace(/%/g, '')),
    { nil: undefined },
  ),
  bytes: content.map(pieces => Buffer.from(pieces.join('').replaceAll(`\r\n--${BOUNDARY}`, ''))),
})

test('a form with files is read as it was written, however its bytes arrive', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 4 }), fc.integer({ min: 1, max: 40 }), async (sent, size) => {
      const all = sent.map(({ filename, ...rest }) => (filename === undefined ? rest : { ...rest, filename }))
      const expected = all.filter(({ bytes }) => !bytes.includes(`\r\n--${BOUNDARY}`))
      const got = await read(written(expected), size)
      assert.deepEqual(
        got.map(one => ({ ...one, bytes: one.bytes.toString() })),
        expected.map(one => ({ ...one, bytes: one.bytes.toString() })),
      )
      const skipped = await read(written(expected), size, true)
      assert.deepEqual(
        skipped.map(one => one.name),
        expected.map(one => one.name),
        'content that nobody reads is skipped',
      )
    }),
    { seed, numRuns: 100 },
  )
})

test('a form that is cut off, has no names or ends in something else is refused', async () => {
  const whole = written([{ name: 'text', bytes: Buffer.from('Rye') }])
  for (const length of [0, 1, 10, 40, whole.length - 4, whole.length - 3])
    await assert.rejects(read(whole.subarray(0, length), 7), MultipartError, String(length))
  const wrong = [
    `--${BOUNDARY}\r\n\r\nx\r\n--${BOUNDARY}--`,
    `--${BOUNDARY}\r\nContent-Disposition: form-data\r\n\r\nx\r\n--${BOUNDARY}--`,
    `--${BOUNDARY}xx\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n--${BOUNDARY}--`,
    `--${BOUNDARY}\r\nX: ${'a'.repeat(20_000)}`,
  ]
  for (const text of wrong) await assert.rejects(read(Buffer.from(text), 100), MultipartError, text.slice(0, 60))
})

test('the boundary is that of a form with files', () => {
  assert.equal(parseBoundary('multipart/form-data; boundary=abc'), 'abc')
  assert.equal(parseBoundary('Multipart/Form-Data; charset=utf-8; boundary="a b"'), 'a b')
  for (const type of [
    '',
    'multipart/mixed; boundary=a',
    'multipart/form-data',
    'multipart/form-data; boundary=',
    `multipart/form-data; boundary=${'a'.repeat(71)}`,
  ])
    assert.equal(parseBoundary(type), undefined, type)
})
