import PDFDocument from 'pdfkit'
import { cleanText } from '#src/kit/text.ts'
import { bytesOfFont, measureWidth } from './fonts.ts'
import type { Run } from './runs.ts'

/** A PDF that is being written. */
export type Pdf = InstanceType<typeof PDFDocument>

/** How many times its size a line of text is high. */
export const LEADING = 1.35

type PdfSettings = {
  readonly title: string
  readonly locale: string
  readonly createdAt: Date
  readonly size: 'A4' | 'LETTER'
  readonly layout: 'portrait' | 'landscape'
}

/** Writes a PDF with one page to begin with; the same settings and drawing give the same bytes. */
export const writePdf = async (settings: PdfSettings, compose: (pdf: Pdf) => void): Promise<Buffer> => {
  const { title, locale, createdAt, size, layout } = settings
  const pdf = new PDFDocument({
    size,
    layout,
    margin: 0,
    lang: locale,
    displayTitle: true,
    info: {
      Title: cleanText(title).replace(/[\u2066-\u2069]/g, ''),
      CreationDate: createdAt,
      ModDate: createdAt,
      Producer: 'Stoa',
      Creator: 'Stoa',
    },
  })
  const done = readBytes(pdf)
  compose(pdf)
  pdf.end()
  return done
}

const readBytes = (pdf: Pdf): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
    pdf.on('end', () => resolve(Buffer.concat(chunks)))
    pdf.on('error', reject)
  })

const used = new WeakMap<Pdf, Set<string>>()

const useFont = (pdf: Pdf, path: string): void => {
  const fonts = used.get(pdf) ?? new Set()
  if (!fonts.has(path)) pdf.registerFont(path, bytesOfFont(path))
  used.set(pdf, fonts.add(path))
  pdf.font(path)
}

// Without features the words of a run would be laid out one by one, from left to right whatever their script.
const OWN_FEATURES = { lineBreak: false, features: [] }

/** Draws the runs of a line from `x` to the right, on the baseline `y`. */
export const drawRuns = (
  pdf: Pdf,
  runs: readonly Run[],
  { x, y, size, color }: { readonly x: number; readonly y: number; readonly size: number; readonly color: string },
): void => {
  let at = x
  for (const { text, font } of runs) {
    useFont(pdf, font)
    pdf.fontSize(size).fillColor(color)
    pdf.text(text, at, y, { ...OWN_FEATURES, baseline: 'alphabetic' })
    at += measureWidth(text, font) * size
  }
}
