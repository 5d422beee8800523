import type { PrintedText, Sheet } from '#src/contract/print.ts'
import { readModules } from '#src/kit/qr.ts'
import { isRightToLeftLanguage } from './bidi.ts'
import { drawRuns, LEADING, type Pdf, writePdf } from './pdf.ts'
import { type Line, listLines, type TextStyle, widthOfRuns } from './runs.ts'

const MARGIN = 54
const IMAGE = { width: 160, height: 72 }
const SMALLEST = 0.35
// Of the width of the page.
const BAND = 0.18
const BAR = 12
const CODE = 68
const GAP = 18
const SIGNATURE = 180
// Of the width of the page, where text is in the middle.
const ROW = 0.76

const buildStyle = ({ locale }: Sheet, { isBold }: PrintedText): TextStyle => ({
  weight: isBold === true ? 700 : 400,
  locale,
})

/** Where texts stand on the page, and at which edge of it. */
type Column = { readonly left: number; readonly width: number; readonly align: 'left' | 'center' | 'right' }

const place = ({ left, width, align }: Column, taken: number): number => {
  if (align === 'left') return left
  return align === 'right' ? left + width - taken : left + (width - taken) / 2
}

// Beside a band text begins where its language does.
const chooseColumn = ({ page: { width } }: Pdf, { design, locale }: Sheet): Column => {
  if (design !== 'band') return { left: MARGIN, width: width - 2 * MARGIN, align: 'center' }
  const room = width * (1 - BAND) - 2 * MARGIN
  return isRightToLeftLanguage(locale)
    ? { left: MARGIN, width: room, align: 'right' }
    : { left: width * BAND + MARGIN, width: room, align: 'left' }
}

type SetText = { readonly lines: readonly Line[]; readonly size: number; readonly color: string; readonly gap: number }

const setTexts = (sheet: Sheet, texts: readonly PrintedText[], width: number, scale = 1): SetText[] =>
  texts.map(text => {
    const size = text.size * scale
    const paragraphs = text.text.split('\n')
    const lines = paragraphs.flatMap(paragraph => listLines(paragraph, buildStyle(sheet, text), width / size))
    return { lines, size, color: text.color, gap: (text.gap ?? 0) * scale }
  })

const computeHeight = (texts: readonly SetText[]): number =>
  texts.reduce((sum, { lines, size, gap }) => sum + gap + lines.length * size * LEADING, 0)

const drawTexts = (pdf: Pdf, texts: readonly SetText[], column: Column, top: number): void => {
  let y = top
  for (const { lines, size, color, gap } of texts) {
    y += gap
    for (const { runs } of lines) {
      drawRuns(pdf, runs, { x: place(column, widthOfRuns(runs) * size), y: y + size, size, color })
      y += size * LEADING
    }
  }
}

const drawPaper = (pdf: Pdf, { background, accent, design, locale }: Sheet): void => {
  const { width, height } = pdf.page
  pdf.rect(0, 0, width, height).fill(background)
  if (design === 'plain') pdf.rect(0, 0, width, BAR).fill(accent)
  else if (design === 'band')
    pdf.rect(isRightToLeftLanguage(locale) ? width * (1 - BAND) : 0, 0, width * BAND, height).fill(accent)
  else {
    pdf.lineWidth(2).strokeColor(accent)
    pdf.rect(24, 24, width - 48, height - 48).stroke()
    if (design === 'frame')
      pdf
        .lineWidth(0.75)
        .rect(29, 29, width - 58, height - 58)
        .stroke()
  }
}

const drawImage = (pdf: Pdf, image: Uint8Array, column: Column): number => {
  const { align } = column
  const fit: [number, number] = [IMAGE.width, IMAGE.height]
  const x = place(column, IMAGE.width)
  pdf.image(Buffer.from(image), x, MARGIN, { fit, ...(align === 'left' ? {} : { align }), valign: 'center' })
  return IMAGE.height + 12
}

// What does not fit is set smaller, all of it alike.
const fitted = (sheet: Sheet, { width }: Column, room: number): SetText[] => {
  let scale = 1
  let body = setTexts(sheet, sheet.body, width, scale)
  while (computeHeight(body) > room && scale > SMALLEST) {
    scale *= 0.88
    body = setTexts(sheet, sheet.body, width, scale)
  }
  return body
}

const drawCode = (pdf: Pdf, address: string, x: number, y: number): void => {
  const rows = readModules(address)
  const size = CODE / rows.length
  pdf.rect(x, y, CODE, CODE).fill('#ffffff')
  for (const [row, modules] of rows.entries())
    for (const [at, isDark] of modules.entries()) if (isDark) pdf.rect(x + at * size, y + row * size, size, size)
  pdf.fill('#000000')
}

type Row = { readonly signature: Column; readonly facts: Column; readonly code: number }

// From where lines begin: who signs, the facts, and the code.
const splitRow = ({ page }: Pdf, { locale }: Sheet, { left, width, align }: Column): Row => {
  const row = align === 'center' ? Math.min(width, page.width * ROW) : width
  const start = left + (width - row) / 2
  const signing = Math.min(SIGNATURE, (row - CODE - 2 * GAP) / 2)
  const telling = row - CODE - signing - 2 * GAP
  const build = (at: number, wide: number): Column => ({ left: at, width: wide, align })
  return isRightToLeftLanguage(locale)
    ? {
        signature: build(start + row - signing, signing),
        facts: build(start + CODE + GAP, telling),
        code: start,
      }
    : {
        signature: build(start, signing),
        facts: build(start + signing + GAP, telling),
        code: start + row - CODE,
      }
}

// Who signs, the facts and the code beside each other, all down to one line; returns the height.
const drawProof = (pdf: Pdf, sheet: Sheet, column: Column, bottom: number): number => {
  const { proof } = sheet
  if (proof === undefined) return 0
  const row = splitRow(pdf, sheet, column)
  const signature = setTexts(sheet, proof.signature, row.signature.width)
  const facts = setTexts(sheet, proof.facts, row.facts.width)
  const top = bottom - computeHeight(signature)
  const [signed] = signature
  if (signed !== undefined) {
    const { left, width } = row.signature
    pdf.lineWidth(0.75).strokeColor(signed.color)
    pdf
      .moveTo(left, top - 4)
      .lineTo(left + width, top - 4)
      .stroke()
  }
  drawTexts(pdf, signature, row.signature, top)
  drawTexts(pdf, facts, row.facts, bottom - computeHeight(facts))
  drawCode(pdf, proof.address, row.code, bottom - CODE)
  return Math.max(CODE, computeHeight(signature) + 28, computeHeight(facts))
}

const compose = (pdf: Pdf, sheet: Sheet): void => {
  drawPaper(pdf, sheet)
  const column = chooseColumn(pdf, sheet)
  const top = MARGIN + (sheet.image === undefined ? 0 : drawImage(pdf, sheet.image, column))
  const foot = setTexts(sheet, sheet.foot, column.width)
  const footTop = pdf.page.height - MARGIN - computeHeight(foot)
  const proofTop = footTop - drawProof(pdf, sheet, column, footTop)
  const room = proofTop - 12 - top
  const body = fitted(sheet, column, room)
  drawTexts(pdf, body, column, top + Math.max(0, (room - computeHeight(body)) / 2))
  drawTexts(pdf, foot, column, footTop)
}

/** The texts of a sheet with their styles. */
export const textsOfSheet = (sheet: Sheet): [text: string, style: TextStyle][] =>
  [
    ...sheet.body,
    ...(sheet.proof?.signature ?? []),
    ...(sheet.proof?.facts ?? []),
    ...sheet.foot,
    ...(sheet.names ?? []),
  ].map(text => [text.text, buildStyle(sheet, text)])

/** A sheet as a PDF of one page. */
export const drawSheet = (sheet: Sheet): Promise<Buffer> => {
  const { title, locale, createdAt, pageSize, orientation } = sheet
  const size = pageSize === 'A4' ? 'A4' : 'LETTER'
  return writePdf({ title, locale, createdAt, size, layout: orientation }, pdf => compose(pdf, sheet))
}
