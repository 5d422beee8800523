import PDFDocument from 'pdfkit'
import type { PrintedText, Sheet } from '#src/contract/print.ts'
import { bytesOfFont, widthOf } from './fonts.ts'
import { linesOf, missingIn, type Run, type TextStyle, widthOfRuns } from './runs.ts'

const MARGIN = 54
const LEADING = 1.35
const IMAGE = { width: 160, height: 72 }
const SMALLEST = 0.35

type Document = InstanceType<typeof PDFDocument>

const styleOf = ({ locale }: Sheet, { isBold }: PrintedText): TextStyle => ({
  weight: isBold === true ? 700 : 400,
  locale,
})

// Without features the words of a run would be laid out one by one, from left to right whatever their script.
const OWN_FEATURES = { lineBreak: false, features: [] }

type SetText = { readonly lines: readonly Run[][]; readonly size: number; readonly color: string; readonly gap: number }

const setTexts = (document: Document, sheet: Sheet, texts: readonly PrintedText[], scale: number): SetText[] => {
  const width = document.page.width - 2 * MARGIN
  return texts.map(text => {
    const size = text.size * scale
    const paragraphs = text.text.split('\n')
    const lines = paragraphs.flatMap(paragraph => linesOf(paragraph, styleOf(sheet, text), width / size))
    return { lines, size, color: text.color, gap: (text.gap ?? 0) * scale }
  })
}

const heightOf = (texts: readonly SetText[]): number =>
  texts.reduce((sum, { lines, size, gap }) => sum + gap + lines.length * size * LEADING, 0)

const used = new WeakMap<Document, Set<string>>()

const useFont = (document: Document, path: string): void => {
  const fontsOfDocument = used.get(document) ?? new Set()
  if (!fontsOfDocument.has(path)) document.registerFont(path, bytesOfFont(path))
  used.set(document, fontsOfDocument.add(path))
  document.font(path)
}

const drawLine = (document: Document, runs: readonly Run[], { size, color }: SetText, y: number): void => {
  let x = (document.page.width - widthOfRuns(runs) * size) / 2
  for (const { text, font } of runs) {
    useFont(document, font)
    document.fontSize(size).fillColor(color)
    document.text(text, x, y, { ...OWN_FEATURES, baseline: 'alphabetic' })
    x += widthOf(text, font) * size
  }
}

const drawTexts = (document: Document, texts: readonly SetText[], top: number): void => {
  let y = top
  for (const text of texts) {
    y += text.gap
    for (const line of text.lines) {
      drawLine(document, line, text, y + text.size)
      y += text.size * LEADING
    }
  }
}

const drawFrame = (document: Document, { background, accent }: Sheet): void => {
  const { width, height } = document.page
  document.rect(0, 0, width, height).fill(background)
  document.lineWidth(2).strokeColor(accent)
  document.rect(24, 24, width - 48, height - 48).stroke()
}

const drawImage = (document: Document, image: Uint8Array): number => {
  const x = (document.page.width - IMAGE.width) / 2
  document.image(Buffer.from(image), x, MARGIN, { fit: [IMAGE.width, IMAGE.height], align: 'center', valign: 'center' })
  return IMAGE.height + 12
}

// What does not fit is set smaller, all of it alike.
const fitted = (document: Document, sheet: Sheet, room: number): SetText[] => {
  let scale = 1
  let body = setTexts(document, sheet, sheet.body, scale)
  while (heightOf(body) > room && scale > SMALLEST) {
    scale *= 0.88
    body = setTexts(document, sheet, sheet.body, scale)
  }
  return body
}

const compose = (document: Document, sheet: Sheet): void => {
  drawFrame(document, sheet)
  const top = MARGIN + (sheet.image === undefined ? 0 : drawImage(document, sheet.image))
  const foot = setTexts(document, sheet, sheet.foot, 1)
  const footTop = document.page.height - MARGIN - heightOf(foot)
  const body = fitted(document, sheet, footTop - top - 12)
  drawTexts(document, body, top + Math.max(0, (footTop - 12 - top - heightOf(body)) / 2))
  drawTexts(document, foot, footTop)
}

const bytesOf = (document: Document): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    document.on('data', (chunk: Buffer) => chunks.push(chunk))
    document.on('end', () => resolve(Buffer.concat(chunks)))
    document.on('error', reject)
  })

/** The characters of a sheet for which no font is there. */
export const missingOn = (sheet: Sheet): string[] => [
  ...new Set([...sheet.body, ...sheet.foot].flatMap(text => missingIn(text.text, styleOf(sheet, text)))),
]

/** A sheet as a PDF of one page. */
export const draw = async (sheet: Sheet): Promise<Buffer> => {
  const document = new PDFDocument({
    size: sheet.pageSize === 'A4' ? 'A4' : 'LETTER',
    layout: sheet.orientation,
    margin: 0,
    lang: sheet.locale,
    displayTitle: true,
    info: {
      Title: sheet.title,
      CreationDate: sheet.createdAt,
      ModDate: sheet.createdAt,
      Producer: 'Stoa',
      Creator: 'Stoa',
    },
  })
  const done = bytesOf(document)
  compose(document, sheet)
  document.end()
  return done
}
