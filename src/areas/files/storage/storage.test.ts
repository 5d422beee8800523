import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isInlineType } from '#src/kit/media-types.ts'
import { computeExpiry, formatDisposition, isSigned, parseByteRange, signLink } from './files/rules.ts'
import { chooseType } from './uploads/media-types.rules.ts'
import { cleanName } from './uploads/rules.ts'

test('I-04 a file name with a path, hidden characters or nothing visible becomes a plain one', () => {
  const names: readonly (readonly [string, string])[] = [
    ['../../etc/passwd', 'passwd'],
    ['..\\..\\boot.ini', 'boot.ini'],
    ['/absolute/loaf.png', 'loaf.png'],
    ['C:\\Users\\ada\\loaf.png', 'loaf.png'],
    ['CON', '_CON'],
    ['con.txt', '_con.txt'],
    ['lpt1', '_lpt1'],
    ['invoice\u202Egnp.exe', 'invoice gnp.exe'],
    ['";x="', '__x=_'],
    ['loaf.png\r\nSet-Cookie: a=b', 'loaf.png Set-Cookie_ a=b'],
    ['...', 'file'],
    ['.env', 'env'],
    ['/', 'file'],
    ['Pão de centeio.pdf', 'Pão de centeio.pdf'],
    ['王小明.pdf', '王小明.pdf'],
  ]
  for (const [sent, kept] of names) assert.equal(cleanName(sent), kept, JSON.stringify(sent))
  const long = cleanName(`${'é'.repeat(300)}.tar.gz`)
  assert.ok(Buffer.byteLength(long) <= 150 && long.endsWith('.gz'), long)
})

test('J-04 no file name breaks its header, and each is read back unchanged from filename*', () => {
  for (const name of [
    'a";x="b.txt',
    "it's (1)*.txt",
    'Łukasz & Zoë.pdf',
    '王小明.mp3',
    'a\r\nb: c.txt',
    'x%0d%0ay.txt',
  ]) {
    const header = formatDisposition(name, 'text/plain')
    assert.match(header, /^attachment; filename="[\w .()-]*"; filename\*=UTF-8''[A-Za-z0-9!#$&+.^_`|~%-]+$/, name)
    assert.equal(decodeURIComponent(header.split("filename*=UTF-8''")[1] ?? ''), name)
  }
})

test('the name of a download for old clients has letters without their marks', () => {
  const names = [
    ['pão.mp4', 'pao.mp4'],
    ['Crème brûlée (2).pdf', 'Creme brulee (2).pdf'],
    ['Łódź.txt', '_odz.txt'],
    ['ﬁle.txt', 'file.txt'],
  ] as const
  for (const [name, plain] of names) assert.equal(formatDisposition(name, 'text/plain').split('"')[1], plain, name)
})

test('I-01 I-02 content that a browser would execute is never shown inline', () => {
  const active = ['text/html', 'image/svg+xml', 'application/xhtml+xml', 'text/xml', 'text/javascript', 'text/css']
  for (const type of [...active, 'text/plain', 'application/octet-stream', 'application/zip']) {
    assert.equal(isInlineType(type), false, type)
    assert.match(formatDisposition('a', type), /^attachment;/, type)
  }
  for (const type of ['image/png', 'video/mp4', 'audio/mpeg', 'application/pdf'])
    assert.match(formatDisposition('a', type), /^inline;/, type)
})

test('the content type of a file is that of its bytes; a picture that is not an image is refused', () => {
  const cases: readonly (readonly [string, string | undefined, string | undefined])[] = [
    ['image/png', 'image/png', 'image/png'],
    ['image/png', 'image/jpeg', 'image/jpeg'],
    ['image/png', undefined, undefined],
    ['image/png', 'application/zip', undefined],
    ['application/pdf', undefined, undefined],
    ['video/mp4', 'image/png', 'image/png'],
    ['video/x-matroska', 'video/matroska', 'video/matroska'],
    ['video/mp4', undefined, undefined],
    ['text/html', undefined, 'text/html'],
    ['image/svg+xml', 'application/xml', 'image/svg+xml'],
    ['text/plain', 'image/png', 'image/png'],
    ['application/zip', 'application/zip', 'application/zip'],
    ['image/vnd.dxf', undefined, 'image/vnd.dxf'],
    ['audio/x-mod', undefined, 'audio/x-mod'],
    ['audio/mp4', 'video/x-m4v', 'audio/mp4'],
    ['video/mp4', 'audio/mpeg', 'audio/mpeg'],
    ['audio/mpeg', 'video/quicktime', 'video/quicktime'],
  ]
  const typed = (declared: string, recognised: string | undefined, purpose: 'submission' | 'avatar') => {
    const verdict = chooseType({ declared, recognised, isText: false }, purpose)
    return 'type' in verdict ? verdict.type : undefined
  }
  for (const [declared, recognised, type] of cases)
    assert.equal(typed(declared, recognised, 'submission'), type, `${declared} ${recognised}`)
  assert.equal(typed('image/png', 'application/pdf', 'avatar'), undefined)
  assert.equal(typed('image/png', 'image/gif', 'avatar'), 'image/gif')
})

test('RFC 9110 §14 a range is one range within the file, ignored, or unsatisfiable', () => {
  const cases: readonly (readonly [string | undefined, unknown])[] = [
    [undefined, 'all'],
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=2-', { start: 2, end: 9 }],
    ['bytes=2-100', { start: 2, end: 9 }],
    ['bytes=-3', { start: 7, end: 9 }],
    ['bytes=-30', { start: 0, end: 9 }],
    ['bytes=-0', 'outside'],
    ['bytes=10-', 'outside'],
    ['bytes=10-20', 'outside'],
    ['bytes=5-2', 'all'],
    ['bytes=-', 'all'],
    ['bytes=0-1,3-4', 'all'],
    ['lines=0-1', 'all'],
    ['bytes=a-b', 'all'],
    ['bytes=99999999999999999999-', 'all'],
  ]
  for (const [range, stretch] of cases) assert.deepEqual(parseByteRange(range, 10), stretch, range)
})

test('I-09 a link is valid for its school, file, member and expiry, and stays the same within an hour', () => {
  const key = Buffer.alloc(32, 7)
  const link = { schoolId: 'school', fileId: 'file', member: 'mem_a', expires: 3600 }
  const signature = new URLSearchParams(signLink(key, link)).get('signature') ?? ''
  assert.equal(isSigned(key, link, signature), true)
  for (const other of [{ schoolId: 'b' }, { fileId: 'b' }, { member: 'mem_b' }, { expires: 7200 }])
    assert.equal(isSigned(key, { ...link, ...other }, signature), false)
  assert.equal(isSigned(Buffer.alloc(32, 8), link, signature), false)
  for (const bad of ['', signature.slice(1), `${signature}A`, `${signature.slice(0, -1)}*`])
    assert.equal(isSigned(key, link, bad), false, bad)
  const at = (text: string) => computeExpiry(new Date(text))
  assert.equal(at('2026-11-21T09:00:00.001Z'), at('2026-11-21T09:59:59.999Z'))
  assert.equal(new Date(at('2026-11-21T09:30:00Z') * 1000).toISOString(), '2026-11-21T11:00:00.000Z')
})
