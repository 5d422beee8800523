import type { PrintedText, Sheet } from '#src/contract/print.ts'
import { drawRuns, LEADING, type Pdf, writePdf } from './pdf.ts'
import { type Line, listLines, type TextStyle, widthOfRuns } from './runs.ts'

const MARGIN = 54
const IMAGE = { width: 160, height: 72 }
const SMALLEST = 0.35

const buildStyle = ({ locale }: Sheet, { isBold }: PrintedText): TextStyle => ({
  weight: isBold === true ? 700 : 400,
  locale,
})

type SetText = { readonly lines: readonly Line[]; readonly size: number; readonly color: string; readonly gap: number }

const setTexts = (pdf: Pdf, sheet: Sheet, texts: readonly PrintedText[], scale: number): SetText[] => {
  const width = pdf.page.width - 2 * MARGIN
  return texts.map(text => {
    const size = text.size * scale
    const paragraphs = text.text.split('\n')
    const lines = paragraphs.flatMap(paragraph => listLines(paragraph, buildStyle(sheet, text), width / size))
    return { lines, size, color: text.color, gap: (text.gap ?? 0) * scale }
  })
}

const computeHeight = (texts: readonly SetText[]): number =>
  texts.reduce((sum, { lines, size, gap }) => sum + gap + lines.length * size * LEADING, 0)

const drawTexts = (pdf: Pdf, texts: readonly SetText[], top: number): void => {
  let y = top
  for (const { lines, size, color, gap } of texts) {
    y += gap
    for (const { runs } of lines) {
      drawRuns(pdf, runs, { x: (pdf.page.width - widthOfRuns(runs) * size) / 2, y: y + size, size, color })
      y += size * LEADING
    }
  }
}

const drawFrame = (pdf: Pdf, { background, accent }: Sheet): void => {
  const { width, height } = pdf.page
  pdf.rect(0, 0, width, height).fill(background)
  pdf.lineWidth(2).strokeColor(accent)
  pdf.rect(24, 24, width - 48, height - 48).stroke()
}

const drawImage = (pdf: Pdf, image: Uint8Array): number => {
  const x = (pdf.page.width - IMAGE.width) / 2
  pdf.image(Buffer.from(image), x, MARGIN, { fit: [IMAGE.width, IMAGE.height], align: 'center', valign: 'center' })
  return IMAGE.height + 12
}

// What does not fit is set smaller, all of it alike.
const fitted = (pdf: Pdf, sheet: Sheet, room: number): SetText[] => {
  let scale = 1
  let body = setTexts(pdf, sheet, sheet.body, scale)
  while (computeHeight(body) > room && scale > SMALLEST) {
    scale *= 0.88
    body = setTexts(pdf, sheet, sheet.body, scale)
  }
  return body
}

const compose = (pdf: Pdf, sheet: Sheet): void => {
  drawFrame(pdf, sheet)
  const top = MARGIN + (sheet.image === undefined ? 0 : drawImage(pdf, sheet.image))
  const foot = setTexts(pdf, sheet, sheet.foot, 1)
  const footTop = pdf.page.height - MARGIN - computeHeight(foot)
  const body = fitted(pdf, sheet, footTop - top - 12)
  drawTexts(pdf, body, top + Math.max(0, (footTop - 12 - top - computeHeight(body)) / 2))
  drawTexts(pdf, foot, footTop)
}

/** The texts of a sheet with their styles. */
export const textsOfSheet = (sheet: Sheet): [text: string, style: TextStyle][] =>
  [...sheet.body, ...sheet.foot, ...(sheet.names ?? [])].map(text => [text.text, buildStyle(sheet, text)])

/** A sheet as a PDF of one page. */
export const drawSheet = (sheet: Sheet): Promise<Buffer> => {
  const { title, locale, createdAt, pageSize, orientation } = sheet
  const size = pageSize === 'A4' ? 'A4' : 'LETTER'
  return writePdf({ title, locale, createdAt, size, layout: orientation }, pdf => compose(pdf, sheet))
}
