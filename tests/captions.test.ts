import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { fetched, readObjects, uploader } from '#testing/uploads.ts'

const app = testApp()

const STAMP = String.raw`(?:\d{2,}:)?[0-5]\d:[0-5]\d\.\d{3}`
const TIMING = new RegExp(`^(${STAMP})[ \\t]+-->[ \\t]+(${STAMP})(?:[ \\t]+(.*))?$`)

/** The cues that a browser reads from a file, by the grammar of WebVTT. */
const parseCues = (bytes: Buffer): string[][] => {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  const [header = '', ...blocks] = text.replace(/\r\n|\r/g, '\n').split(/\n{2,}/)
  assert.match(header, /^WEBVTT(?:[ \t\n]|$)/)
  return blocks.flatMap(block => {
    const lines = block.split('\n')
    const at = lines.findIndex(line => line.includes('-->'))
    if (at < 0) return []
    const [, from = '', to = ''] = TIMING.exec(lines[at] ?? '') ?? []
    return [[from, to, ...lines.slice(at + 1).filter(line => line !== '')]]
  })
}

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')
const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, 'utf16le')

const VTT = 'WEBVTT\n\n00:01.000 --> 00:02.500 align:start\nPão quente, não frio\n'
const SRT = '1\n00:00:01,000 --> 00:00:02,500\nPão quente, não frio\n\n2\n00:01:03,040 --> 01:01:04,000\nÀ mesa\n'
const windows = (text: string): string => text.replaceAll('\n', '\r\n')
const OF_VTT = [['00:01.000', '00:02.500', 'Pão quente, não frio']]
const OF_SRT = [
  ['00:00:01.000', '00:00:02.500', 'Pão quente, não frio'],
  ['00:01:03.040', '01:01:04.000', 'À mesa'],
]

const converted: readonly (readonly [string, Buffer, readonly (readonly string[])[]])[] = [
  ['WebVTT in Latin-1', latin1(VTT), OF_VTT],
  ['WebVTT in Latin-1 with CRLF', latin1(windows(VTT)), OF_VTT],
  ['WebVTT with a byte order mark', Buffer.from(`\uFEFF${VTT}`), OF_VTT],
  ['WebVTT in UTF-16', utf16(VTT), OF_VTT],
  ['WebVTT with the commas of SRT', Buffer.from(SRT.replace('1\n', 'WEBVTT\n\n1\n')), OF_SRT],
  ['SRT in UTF-8', Buffer.from(SRT), OF_SRT],
  ['SRT in Latin-1 with CRLF', latin1(windows(SRT)), OF_SRT],
  ['SRT with a byte order mark', Buffer.from(`\uFEFF${windows(SRT)}`), OF_SRT],
  ['SRT in UTF-16', utf16(SRT), OF_SRT],
  [
    'SRT without numbers and with short times',
    Buffer.from('0:00:01,5-->0:00:02\nÀ mesa'),
    [['00:00:01.500', '00:00:02.000', 'À mesa']],
  ],
  [
    'windows-1252',
    // “5 €” – in the code page of Windows.
    Buffer.concat([
      Buffer.from('1\n00:00:01,000 --> 00:00:02,000\n'),
      Buffer.from([0x93, 0x35, 0x20, 0x80, 0x94, 0x20, 0x96]),
    ]),
    [['00:00:01.000', '00:00:02.000', '“5 €” –']],
  ],
  [
    'SRT with text that WebVTT reads as markup',
    Buffer.from(
      '1\n00:00:01,000 --> 00:00:02,000 X1:1\n{\\an8}<i>a < b</i> & 1 --> 2\n\nR&D\n2\n00:00:03,000 --> 00:00:04,000\n7\n',
    ),
    [
      ['00:00:01.000', '00:00:02.000', '<i>a &lt; b</i> &amp; 1 --&gt; 2', 'R&amp;D'],
      ['00:00:03.000', '00:00:04.000', '7'],
    ],
  ],
]

const file = { filename: 'pao.vtt', content_type: 'text/vtt', purpose: 'course' }

const bytesTaken = async (): Promise<number> => {
  const [row] = await app.database.query<{ bytes: string }>('select bytes from storage_totals where school_id = $1', [
    app.a.id,
  ])
  return Number(row?.bytes ?? 0)
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

test('captions of other encodings, and SRT, are stored as WebVTT in UTF-8, and the quota takes what is stored', async () => {
  const carla = await uploader(app, 'carla')
  for (const [name, sent, cues] of converted) {
    const before = await bytesTaken()
    const { json, text } = await carla.upload(sent, { ...file, sha256: sha256(sent) })
    assert.deepEqual([json.status, json.content_type], ['ready', 'text/vtt'], `${name}: ${text}`)
    const { bytes } = await fetched(json.file.url)
    assert.deepEqual(parseCues(bytes), cues, name)
    assert.deepEqual(
      [json.sha256, json.byte_size, json.file.byte_size],
      [sha256(bytes), bytes.length, bytes.length],
      name,
    )
    assert.equal(await bytesTaken(), before + bytes.length, name)
    assert.equal((await carla.complete(json.id)).json.sha256, json.sha256, 'a second completion changes nothing')
  }
})

test('valid WebVTT, captions to download and files for other purposes keep their bytes', async () => {
  const carla = await uploader(app, 'carla')
  const style = 'WEBVTT - Pão\r\nKind: captions\r\n\r\nSTYLE\r\n::cue { color: red }\r\n\r\nNOTE 1 < 2 & 3\r\n\r\n'
  const cue = '1\r\n100:00:01.000 --> 100:00:02.000 line:0\r\n<v Ana>Olá & adeus\r\n'
  const kept = [
    [Buffer.from(VTT), {}],
    [Buffer.from(style + cue), {}],
    [latin1(SRT), { keep_original: true }],
    [latin1(SRT), { purpose: 'submission' }],
    [latin1('garbage \xe3'), { purpose: 'post' }],
    [latin1(SRT), { content_type: 'application/x-subrip', filename: 'pao.srt' }],
  ] as const
  for (const [bytes, more] of kept) {
    const { json, text } = await carla.upload(bytes, { ...file, ...more })
    assert.equal(json.status, 'ready', text)
    assert.ok((await fetched(json.file.url)).bytes.equals(bytes), JSON.stringify(more))
  }
})

test('what is neither WebVTT nor SRT is rejected, and leaves neither an object nor a part of the quota', async () => {
  const carla = await uploader(app, 'carla')
  const before = [await bytesTaken(), (await readObjects(app)).toSorted()]
  const refused = [
    Buffer.from('Pão quente, não frio'),
    Buffer.from('WEBVTT\n\nNo cue\n'),
    Buffer.from('WEBVTT\n\n99:99.000 --> 99:99.500\nNo time\n'),
    Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 7919) % 256)),
    Buffer.concat([Buffer.from(SRT), Buffer.from([0, 1, 2])]),
    Buffer.from(SRT, 'utf16le'),
    Buffer.from(`${SRT}${'a'.repeat(5_000_000)}`),
  ]
  for (const bytes of refused) {
    const { status, json, text } = await carla.upload(bytes, file)
    assert.deepEqual([status, json.status, json.rejected_for], [200, 'rejected', 'unreadable_captions'], text)
  }
  assert.deepEqual([await bytesTaken(), (await readObjects(app)).toSorted()], before)
})
