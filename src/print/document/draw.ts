import type { Document } from '#src/contract/print.ts'
import { isRightToLeftLanguage } from '../bidi.ts'
import { drawRuns, type Pdf, writePdf } from '../pdf.ts'
import { IMAGE, layOut, PAGE, type Page } from './layout.ts'

const drawImage = (pdf: Pdf, { image, locale }: Document): void => {
  if (image === undefined) return
  const fit: [number, number] = [IMAGE.width, IMAGE.height]
  const isRtl = isRightToLeftLanguage(locale)
  const x = isRtl ? PAGE.width - PAGE.right - IMAGE.width : PAGE.left
  pdf.image(Buffer.from(image), x, PAGE.top, isRtl ? { fit, align: 'right' } : { fit })
}

const drawPage = (pdf: Pdf, { lines, rules }: Page): void => {
  for (const { x, y, width, thickness, color } of rules) {
    pdf.lineWidth(thickness).strokeColor(color)
    pdf
      .moveTo(x, y)
      .lineTo(x + width, y)
      .stroke()
  }
  for (const { line, x, baseline, size, color } of lines) drawRuns(pdf, line.runs, { x, y: baseline, size, color })
}

/** A document as a PDF; undefined when it has more pages than are printed. */
export const drawDocument = async (document: Document): Promise<Buffer | undefined> => {
  const pages = layOut(document)
  if (pages === undefined) return undefined
  const { title, locale, createdAt } = document
  return writePdf({ title, locale, createdAt, size: 'A4', layout: 'portrait' }, pdf => {
    for (const [index, page] of pages.entries()) {
      if (index > 0) pdf.addPage()
      if (index === 0) drawImage(pdf, document)
      drawPage(pdf, page)
    }
  })
}
