import { fill, toLanguage } from '#src/contract/language.ts'
import type { PrintedText, Sheet, SheetProof } from '#src/contract/print.ts'
import { problem } from '#src/contract/problem.ts'
import type { School } from '#src/contract/school.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { formatDate } from '#src/kit/format.ts'
import type { CertificateRow } from '../certificates/queries.ts'
import { buildAddresses, listLines, showSerial } from '../certificates/rules.ts'
import { words } from './text.ts'

/** The certificate is not valid any more. */
export const certificateNotValid = problem(
  410,
  'certificate_not_valid',
  'The certificate is not valid any more',
  'A certificate that was revoked, replaced or withdrawn is not printed and not signed again. Its page and GET /certificates/{serial}/verification show its status.',
)

/** No font has a character of the certificate. */
export const certificateNotPrintable = problem(
  406,
  'certificate_not_printable',
  'The certificate cannot be printed as a PDF',
  'No font of this installation has a character of the certificate, and a wrong one is never printed in its place. The page of the certificate shows it in the fonts of your browser, from which it can be printed; an operator adds a script by installing the npm package of its Noto Sans font.',
)

// Raised when the layout changes, so that the same certificate is printed again.
const LOOK = 3

/** The cache key and ETag of the PDF of a certificate; it changes whenever the PDF does. */
export const nameOfSheet = (school: School, row: CertificateRow): string =>
  sha256(JSON.stringify([LOOK, school.baseUrl, row.id, row.revision]))
    .toString('base64url')
    .slice(0, 22)

/** What is printed of a certificate. */
type Named = Pick<
  CertificateRow,
  'serial' | 'course_name' | 'school_name' | 'awarded_on' | 'hours' | 'design' | 'issued_at'
> & { readonly name: string }

const body = (row: Named): PrintedText[] => {
  const { design } = row
  const { text, accent } = design.colors
  const lines = listLines(row).map((line, index): PrintedText => {
    const gap = index === 0 ? 18 : 2
    if (line.alone === 'name') return { text: line.text, size: 34, color: accent, isBold: true, gap: 12 }
    if (line.alone === 'course') return { text: line.text, size: 22, color: text, isBold: true, gap: 8 }
    return { text: line.text, size: 14, color: text, gap }
  })
  return [{ text: design.title, size: 30, color: text, isBold: true }, ...lines]
}

const signature = ({ design }: Named, size: number): PrintedText[] => {
  const { signature_name: name, signature_role: role, colors } = design
  const who = [name, role].filter(part => part !== null).join(', ')
  return who === '' ? [] : [{ text: who, size, color: colors.text }]
}

// A certificate from before there were several designs is printed as it was: who signs and the number are in its foot.
const buildProof = (row: Named, address: string): SheetProof | undefined => {
  const { design, awarded_on: day, serial } = row
  if (design.design === undefined) return undefined
  const facts = [...(design.body.includes('{date}') ? [] : [formatDate(day, design.locale)]), showSerial(serial)]
  return {
    signature: signature(row, 10),
    facts: facts.map(text => ({ text, size: 9, color: design.colors.text })),
    address,
  }
}

const buildFoot = (row: Named, url: string): PrintedText[] => {
  const { design, serial } = row
  const verify = { text: fill(words.verify, toLanguage(design.locale), { url }), size: 9, color: design.colors.text }
  if (design.design !== undefined) return [{ ...verify, gap: 10 }]
  return [...signature(row, 12), { text: showSerial(serial), size: 9, color: design.colors.text, gap: 10 }, verify]
}

/** A certificate as it is printed. */
export const buildSheet = (school: School, row: Named, image: Uint8Array | undefined): Sheet => {
  const { design } = row
  const color = design.colors.text
  const url = buildAddresses(school.baseUrl, row.serial).page
  return {
    title: `${design.title} · ${row.course_name}`,
    locale: design.locale,
    createdAt: row.issued_at,
    pageSize: design.page_size,
    orientation: design.orientation,
    background: design.colors.background,
    accent: design.colors.accent,
    design: design.design,
    proof: buildProof(row, url),
    image,
    names: [row.name, row.course_name].map(text => ({ text, size: 14, color })),
    body: body(row),
    foot: buildFoot(row, url),
  }
}
