import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { fromId } from '#src/kit/ids.ts'
import { enterAccount, formatCookie } from '#testing/account-pages.ts'
import type { Actor } from '#testing/actor.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import { awardTo, newcomer, SOURDOUGH } from '#testing/awards.ts'
import { readPdf, textOfPdf } from '#testing/pdf.ts'
import { fetched, uploader } from '#testing/uploads.ts'

const app = testApp()
const SERIAL = 'BAKED-WARM0-BREAD-DEM00'
// A few to a paper, since opening a school's certificate is not what is tested here.
const NAMES = [
  '王小明, Łukasz, Zoë',
  'Ξένια, Анна, Ελένη',
  '김민준, 高橋さくら, 陳大文',
  'Nguyễn Thị Hương, O’Brien-Šťastný',
  'عمر بن محمد',
  'דוד',
  'मीरा',
  'ไทย',
  'Իրինա Հակոբյան',
  'ნინო ბერიძე',
]

let signedIn: Promise<Actor> | undefined
const ada = () => {
  signedIn ??= app.actor('ada', { scopes: ['courses:read', 'courses:write', 'members:write'] })
  return signedIn
}

/** Awards a certificate of the course to a new member with this name. */
const award = async (name: string) => {
  const actor = await ada()
  return awardTo(actor, await newcomer(actor, 'New'), { name })
}

// What a reader takes out of a PDF has the letters in the order of the paper where a script runs to the left.
const letters = (text: string): string => [...text.normalize('NFKC').replace(/[\s\u200e\u200f]/gu, '')].sort().join('')

test('the paper of every name is a PDF of one page whose words can be taken out again', async () => {
  for (const name of NAMES) {
    const { pdf_url: url } = await award(name)
    const { status, bytes, headers } = await fetched(url)
    assert.equal(status, 200, `${name}: ${bytes.toString('utf8').slice(0, 300)}`)
    assert.equal(headers.get('content-type'), 'application/pdf')
    assert.match(headers.get('content-disposition') ?? '', /^inline; filename="certificate-[0-9A-Z-]+\.pdf"$/)
    assert.equal(bytes.subarray(0, 5).toString(), '%PDF-')
    assert.equal(bytes.toString('latin1').match(/\/Type \/Page\b/g)?.length, 1)
    const text = await textOfPdf(bytes)
    const expected = letters(name)
    const found = letters(text)
    for (const letter of expected) assert.ok(found.includes(letter), `${name}: ${letter} is in ${text}`)
    assert.ok(/[\u0590-\u08ff\u0900-\u097f\u0e00-\u0e7f]/.test(name) || text.includes(name), `${name} is in ${text}`)
    assert.ok(text.includes('has completed the course'), text)
  }
})

test('a name that no font has is never printed otherwise: the PDF is refused, the page shows it', async () => {
  for (const name of ['🦊', '𓀀𓀁', 'ᚠᚢᚦ']) {
    const { pdf_url: pdf, url } = await award(name)
    const { status, json } = await app.send({ path: new URL(pdf).pathname, headers: { accept: 'application/json' } })
    assert.deepEqual([status, json.code], [406, 'certificate_not_printable'])
    const last = Array.from(name).at(-1) ?? ''
    assert.ok(json.detail.includes(last), json.detail)
    const page = await app.send({ path: new URL(url).pathname })
    assert.ok(page.text.includes(name))
    assert.ok(!page.text.includes(pdf), 'no link leads to it')
  }
})

test('an emoji that no font has is left out with one space kept, and a character has its compatible form', async () => {
  const cases = [
    ['Zoë 🦊', 'Zoë'],
    ['🥖 Broa🥐de 👩‍🍳 milho 🇵🇹', 'Broa de milho'],
    ['\u{1d400}da ❤\ufe0f Moreira', 'Ada Moreira'],
  ] as const
  for (const [name, printed] of cases) {
    const { pdf_url: pdf, url } = await award(name)
    const { status, bytes } = await fetched(pdf)
    assert.equal(status, 200, name)
    const text = (await textOfPdf(bytes)).replace(/\s+/g, ' ')
    assert.ok(text.includes(printed), `${printed} is in ${text}`)
    const page = await app.send({ path: new URL(url).pathname })
    assert.ok(page.text.includes(name) && page.text.includes(pdf), 'the page shows the name and links the PDF')
  }
})

test('hostile and endless names stay text, on one page and in little time', async () => {
  const names = [
    '<script>alert(1)</script>',
    '{course} {{7*7}} $& $1',
    ') Tj ET (injected',
    'W'.repeat(120),
    'ﷺ'.repeat(120),
    '王'.repeat(120),
    'a\u0300\u0301\u0302'.repeat(30),
    'עברית english עברית '.repeat(6).trim(),
  ]
  for (const name of names) {
    const { pdf_url: pdf, url, name: kept } = await award(name)
    const start = performance.now()
    const { status, bytes } = await fetched(pdf)
    assert.ok([200, 406].includes(status), `${name}: ${status} ${bytes.toString('utf8').slice(0, 200)}`)
    assert.ok(performance.now() - start < 10_000, `${name} took ${performance.now() - start} ms`)
    if (status === 200) assert.equal(bytes.toString('latin1').match(/\/Type \/Page\b/g)?.length, 1)
    const { text } = await app.send({ path: new URL(url).pathname })
    assert.ok(!text.includes('<script>'), 'nothing of it is markup')
    assert.ok(kept.length <= 120)
  }
})

test('the page shows whether the certificate is valid, in the reader’s language, and is not indexed; a removed one has no PDF', async () => {
  const { url, pdf_url: pdf, id } = await award('Zoë <b>')
  const path = new URL(url).pathname
  const page = await app.send({ path, headers: { 'accept-language': 'pt-PT,pt;q=0.9' } })
  assert.equal(page.status, 200)
  assert.match(page.text, /<html lang="pt">/)
  assert.match(page.text, /<p role="status" class="certificate-valid">Este certificado é válido\.<\/p>/)
  assert.ok(page.text.includes('Zoë &lt;b&gt;') && !page.text.includes('<b>'))
  assert.equal(page.headers['x-robots-tag'], 'noindex')
  assert.ok(page.text.includes(`href="${pdf}"`) && page.text.includes(`href="${url}/credential"`))
  assert.match(String(page.headers['content-security-policy']), /default-src 'none'/)
  const actor = await ada()
  await actor.write('PUT', `/certificates/${id}/revocation`, {})
  const revoked = await app.send({ path })
  assert.match(revoked.text, /was revoked by the school/)
  assert.ok(!revoked.text.includes('.pdf"'))
  assert.equal((await fetched(pdf)).status, 410)
  for (const missing of ['/certificates/00000-00000-00000-00000', '/certificates/x.pdf', '/certificates/%F0%9F%A6%8A'])
    assert.equal((await app.send({ path: missing })).status, 404, missing)
})

test('the PDF has an ETag that changes with its content, and identical bytes until then', async () => {
  const { pdf_url: url, id } = await award('Etta Gil')
  const [one, two] = [await fetched(url), await fetched(url)]
  assert.deepEqual(two.bytes, one.bytes)
  const etag = one.headers.get('etag') ?? ''
  assert.equal((await fetched(url, { headers: { 'if-none-match': etag } })).status, 304)
  const head = await fetched(url, { method: 'HEAD' })
  assert.deepEqual([head.status, head.bytes.length, head.headers.get('etag')], [200, 0, etag])
  const actor = await ada()
  const { json } = await actor.write('POST', `/certificates/${id}/replacements`, { name: 'Etta Gill' })
  assert.notEqual((await fetched(json.pdf_url)).headers.get('etag'), etag)
})

test('a template’s image is printed in every format, and readers of the certificate can open it', async () => {
  const { upload } = await uploader(app, 'ada')
  const bytes = await sharp({ create: { width: 300, height: 120, channels: 3, background: '#0b5394' } })
    .webp()
    .toBuffer()
  const { json } = await upload(bytes, { filename: 'crest.webp', content_type: 'image/webp', purpose: 'course' })
  const actor = await ada()
  const { json: course } = await actor.get(SOURDOUGH)
  const path = `/certificate-templates/${course.certificate_template_id}`
  const plain = await fetched((await award('Without')).pdf_url)
  const changed = await actor.write('PATCH', path, { image_file_id: json.file.file_id })
  assert.equal(changed.status, 200, changed.text)
  assert.equal(changed.json.image.url_expires_at, null, 'it is public')
  assert.deepEqual((await fetched(changed.json.image.url)).bytes, bytes)
  const printed = await fetched((await award('Without')).pdf_url)
  assert.ok(!plain.bytes.includes('/Subtype /Image') && printed.bytes.includes('/Subtype /Image'))
  await actor.write('PATCH', path, { image_file_id: null })
  const text = Buffer.from('no image at all')
  const other = await upload(text, { filename: 'a.pdf', content_type: 'text/plain', purpose: 'submission' })
  const refused = await actor.write('PATCH', path, { image_file_id: other.json.file.file_id })
  assert.deepEqual([refused.status, refused.json.code], [422, 'invalid_body'])
})

test('each design has who signs, the number and a code; what was issued keeps its design, and from before designs its foot', async () => {
  const actor = await ada()
  const { json: course } = await actor.get(SOURDOUGH)
  const path = `/certificate-templates/${course.certificate_template_id}`
  const issued = await award('Design Before')
  const before = await fetched(issued.pdf_url)
  const lengths = new Set<number>()
  for (const design of ['frame', 'band', 'plain']) {
    assert.equal((await actor.write('PATCH', path, { design })).status, 200)
    const { pdf_url: pdf, serial, url } = await award('Łukasz 王小明')
    const { status, bytes } = await fetched(pdf)
    assert.equal(status, 200, design)
    assert.equal(bytes.toString('latin1').match(/\/Type \/Page\b/g)?.length, 1, design)
    const text = await textOfPdf(bytes)
    for (const said of ['Łukasz', '王小明', serial, 'Carla Nunes, Baker', url])
      assert.ok(text.includes(said), `${design}: ${said} is in ${text}`)
    lengths.add(bytes.length)
  }
  assert.equal(lengths.size, 3, 'three designs')
  assert.deepEqual((await fetched(issued.pdf_url)).bytes, before.bytes)
  await app.database.query(
    "update certificates set design = design - 'design', revision = revision + 1 where id = $1",
    [fromId('crt', issued.id)],
  )
  const [old] = await readPdf((await fetched(issued.pdf_url)).bytes)
  const [verify, number, signature] = (old ?? []).toReversed()
  assert.match(verify?.text ?? '', /Genuine/)
  assert.equal(number?.text, issued.serial)
  assert.match(signature?.text ?? '', /Carla Nunes/)
  await actor.write('PATCH', path, { design: 'frame' })
})

test('the console shows a template as the paper that it gives, to the staff alone, and to frames of its own host', async () => {
  const actor = await ada()
  const { json: course } = await actor.get(SOURDOUGH)
  const path = `/staff/certificates/${course.certificate_template_id}`
  const enter = (name: PersonName) =>
    enterAccount({ port: app.port, school: app.a, email: `${name}@crumb.example`, password: PASSWORD })
  const browser = await enter('ada')
  const page = await browser.open(path)
  assert.ok(page.text.includes(`<iframe class="paper" src="${path}/preview#`), page.text)
  const policy = String(page.headers['content-security-policy'])
  assert.ok(policy.includes(`frame-src ${app.a.siteOrigin}${path}/preview;`), policy)
  assert.match(policy, /frame-ancestors 'none'/)
  const preview = await fetched(`${app.a.siteOrigin}${path}/preview`, { headers: { cookie: formatCookie(browser) } })
  assert.equal(preview.headers.get('content-type'), 'application/pdf')
  assert.equal(preview.headers.get('x-frame-options'), 'SAMEORIGIN')
  assert.match(preview.headers.get('content-security-policy') ?? '', /frame-ancestors 'self'/)
  const text = await textOfPdf(preview.bytes)
  for (const said of ['Ada Moreira', 'Name of the course', 'Carla Nunes, Baker']) assert.ok(text.includes(said), text)
  for (const name of ['carla', 'femi'] as const) {
    const other = await fetched(`${app.a.siteOrigin}${path}/preview`, {
      headers: { cookie: formatCookie(await enter(name)), accept: 'text/html' },
    })
    assert.notEqual(other.headers.get('content-type'), 'application/pdf', name)
  }
  const stranger = await app.send({ path: `${path}/preview`, headers: { accept: 'text/html' } })
  assert.match(String(stranger.headers.location), /^\/account\/sign-in/)
  const missing = await browser.open(`/staff/certificates/ctp_${'0'.repeat(26)}/preview`)
  assert.equal(missing.status, 404)
})

test('J-05 the addresses on paper and page are those of the school, whatever host a request claims', async () => {
  const { text } = await app.send({ path: `/certificates/${SERIAL}`, headers: { 'x-forwarded-host': 'evil.example' } })
  assert.ok(text.includes(`${app.a.baseUrl}/certificates/${SERIAL}.pdf`) && !text.includes('evil.example'))
  const pdf = await fetched(`${app.a.baseUrl}/certificates/${SERIAL}.pdf`)
  assert.ok((await textOfPdf(pdf.bytes)).includes(`${app.a.baseUrl}/certificates/${SERIAL}`))
})
