import { findTemplate } from '#src/areas/courses/index.ts'
import { bytesOfFile } from '#src/areas/files/index.ts'
import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { fill, fillEach, type Language, languageFor, type Phrase } from '#src/contract/language.ts'
import type { Printed, Printer } from '#src/contract/print.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import type { Files } from '#src/contract/store.ts'
import { matchesEtag } from '#src/kit/cacheable.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { formatDate, formatDay } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { page, pageHeaders } from '#src/kit/html-page.ts'
import { dayAt } from '#src/kit/local-time.ts'
import { texts } from '#src/texts/index.ts'
import { type CertificateRow, findBySerial, schoolNow } from '../certificates/queries.ts'
import { buildAddresses, buildLook, listLines, readSerial, showSerial } from '../certificates/rules.ts'
import { buildSheet, certificateNotPrintable, certificateNotValid, nameOfSheet } from './rules.ts'
import { statusText, words } from './text.ts'

const MAX_IMAGE_BYTES = 20_000_000
const IMAGE_WIDTH = 640

/** The certificate that an address names by its serial; refuses when there is none. */
export const certificateAt = async ({ database, school }: EndpointRequest, serial: string): Promise<CertificateRow> => {
  const read = readSerial(serial)
  const row =
    read === undefined ? undefined : await database.statements(school.id, db => findBySerial(db, school.id, read))
  if (row === undefined) throw new Refusal(notFound, 'There is no such certificate.')
  return row
}

/** A valid certificate with its name; refuses others with 410. */
export const requireValid = (row: CertificateRow): CertificateRow & { readonly name: string } => {
  const { name } = row
  if (row.status !== 'valid' || name === null)
    throw new Refusal(certificateNotValid, `The certificate is ${row.status}.`)
  return { ...row, name }
}

const renderText = (row: CertificateRow & { readonly name: string }): Html => html`
<blockquote lang="${row.design.locale}" dir="auto">
<p class="certificate-title">${row.design.title}</p>
${listLines(row).map(
  ({ text, alone }) => html`<p${alone === undefined ? '' : html` class="certificate-${alone}"`}>${text}</p>
`,
)}</blockquote>`

type Reading = { readonly language: Language; readonly timeZone: string }

const renderBody = (
  row: CertificateRow,
  { baseUrl, language, timeZone, isPrintable }: Reading & { readonly baseUrl: string; readonly isPrintable: boolean },
): Html => {
  const say = (phrase: Phrase, values = {}) => fill(phrase, language, values)
  const { page: url, pdf, credential } = buildAddresses(baseUrl, row.serial)
  const { name } = row
  const day = (at: Date) => formatDay(at, timeZone, language)
  const isValid = row.status === 'valid'
  return html`<h1>${say(words.heading, { school: row.school_name })}</h1>
<p role="status" class="certificate-${row.status}">${say(statusText[row.status])}</p>
${name !== null && isValid ? renderText({ ...row, name }) : ''}
<dl>
${name === null ? '' : html`<dt>${say(words.name)}</dt><dd dir="auto">${name}</dd>`}
<dt>${say(words.course)}</dt><dd dir="auto">${row.course_name}</dd>
<dt>${say(words.school)}</dt><dd dir="auto">${row.school_name}</dd>
<dt>${say(words.awarded)}</dt><dd>${formatDate(row.awarded_on, language)}</dd>
<dt>${say(words.issued)}</dt><dd>${day(row.issued_at)}</dd>
${row.revoked_at === null ? '' : html`<dt>${say(words.revoked)}</dt><dd>${day(row.revoked_at)}</dd>`}
<dt>${say(words.serial)}</dt><dd><code>${showSerial(row.serial)}</code></dd>
</dl>
${
  isValid
    ? html`<ul class="certificate-files">
${isPrintable ? html`<li><a href="${pdf}">${say(words.pdf)}</a></li>\n` : ''}<li><a href="${credential}">${say(words.credential)}</a></li>
</ul>`
    : ''
}
<p class="quiet">${say(words.genuine, { url })}</p>`
}

/** What printing certificates needs. */
type PrintParts = { readonly files: Files; readonly printer: Printer }

// An image that was deleted or cannot be read is left out; the text is enough.
const findImage = async (request: EndpointRequest, { files }: PrintParts, fileId: string | null) => {
  if (fileId === null) return undefined
  const { database, school } = request
  const bytes = await bytesOfFile({ database, school, files }, fileId, MAX_IMAGE_BYTES)
  try {
    return bytes && (await files.media.toPng(bytes, IMAGE_WIDTH))
  } catch {
    request.logWarning('certificate_image_unreadable', { file: fileId })
    return undefined
  }
}

const printSheet = (request: EndpointRequest, parts: PrintParts, row: CertificateRow & { readonly name: string }) =>
  parts.printer.print(nameOfSheet(request.school, row), async () =>
    buildSheet(request.school, row, await findImage(request, parts, row.image_file_id)),
  )

// The fonts of every installation have these.
const ALWAYS_PRINTED = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}\p{P}\p{Zs}]*$/u

// A PDF that cannot be printed is not linked. Where it cannot be printed now, it can later.
const canPrint = async (request: EndpointRequest, parts: PrintParts, row: CertificateRow): Promise<boolean> => {
  const { name } = row
  if (name === null || row.status !== 'valid') return false
  const { title, signature_name: signature, signature_role: role } = row.design
  const texts = [title, signature, role, name, row.course_name, ...listLines({ ...row, name }).map(({ text }) => text)]
  if (texts.every(text => text === null || ALWAYS_PRINTED.test(text.normalize('NFC')))) return true
  try {
    return !('missing' in (await printSheet(request, parts, { ...row, name })))
  } catch (error) {
    if (error instanceof Refusal) return true
    throw error
  }
}

const showPage = async (request: EndpointRequest, row: CertificateRow, parts: PrintParts): Promise<Reply> => {
  const isPrintable = await canPrint(request, parts, row)
  const { school } = request
  const { time_zone: timeZone } = await request.database.statements(school.id, db => schoolNow(db, school.id))
  const language = languageFor(request)
  const title = fill(words.heading, language, { school: row.school_name })
  return {
    status: 200,
    headers: {
      ...pageHeaders,
      'content-language': language,
      vary: 'Accept-Language, Cookie',
      'x-robots-tag': 'noindex',
    },
    body: page({
      lang: language,
      title,
      brand: { name: school.name, look: school.look, href: '/' },
      body: renderBody(row, { baseUrl: school.baseUrl, language, timeZone, isPrintable }),
    }),
  }
}

/** The refusal of what has characters that no font has. */
export const notPrintable = (missing: readonly string[]): Refusal => {
  const list = missing.slice(0, 10).join(' ')
  const { notPrintable: sentence } = texts.learning.certificates.page.operations
  return new Refusal(certificateNotPrintable, fillEach(sentence, { list }))
}

const showPdf = async (request: EndpointRequest, parts: PrintParts, serial: string): Promise<Reply> => {
  const row = requireValid(await certificateAt(request, serial))
  const name = nameOfSheet(request.school, row)
  const headers = {
    etag: `"${name}"`,
    'cache-control': 'public, max-age=0, must-revalidate',
    'access-control-allow-origin': '*',
    'x-robots-tag': 'noindex',
  }
  if (matchesEtag(request.header('if-none-match'), headers.etag)) return { status: 304, headers }
  const printed = await printSheet(request, parts, row)
  if ('missing' in printed) throw notPrintable(printed.missing)
  const file = `certificate-${showSerial(row.serial)}.pdf`
  return {
    status: 200,
    headers: { ...headers, 'content-type': 'application/pdf', 'content-disposition': `inline; filename="${file}"` },
    body: printed.pdf,
  }
}

// No certificate has it: one has random characters.
const NO_SERIAL = '0'.repeat(20)

/**
 * A template as a PDF, filled in with these names and the day on which it was changed; undefined where the school has no such template.
 * Whether it may be read is decided before.
 */
export const printTemplate = async (
  request: EndpointRequest,
  parts: PrintParts,
  sample: { readonly templateId: string | undefined; readonly name: string; readonly course: string },
): Promise<Printed | undefined> => {
  const { database, school } = request
  const template = await database.statements(school.id, db => findTemplate(db, school.id, sample.templateId))
  if (template === undefined) return undefined
  const row = {
    ...buildLook(template, sample.course),
    id: template.id,
    serial: NO_SERIAL,
    name: sample.name,
    school_name: school.name,
    awarded_on: dayAt(template.updated_at, school.timeZone),
    issued_at: template.updated_at,
  }
  const name = sha256(JSON.stringify([school.baseUrl, row])).toString('base64url')
  return parts.printer.print(name, async () =>
    buildSheet(school, row, await findImage(request, parts, row.image_file_id)),
  )
}

/** The page of a certificate, for anybody who has its serial, and with `.pdf` its PDF. */
export const certificatePage = (parts: PrintParts): Endpoint =>
  endpoint({
    route: 'GET /certificates/:serial',
    handle: async request => {
      const { serial = '' } = request.params
      if (serial.endsWith('.pdf')) return showPdf(request, parts, serial.slice(0, -'.pdf'.length))
      return showPage(request, await certificateAt(request, serial), parts)
    },
  })
