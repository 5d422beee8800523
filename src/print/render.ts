import type { Document, Sheet } from '#src/contract/print.ts'
import { drawDocument } from './document/draw.ts'
import { textsOfDocument } from './document/texts.ts'
import { missingIn } from './runs.ts'
import { drawSheet, textsOfSheet } from './sheet.ts'

/** The characters of a sheet or document for which no font is there. */
export const missingOn = (content: Sheet | Document): string[] => {
  const texts = 'blocks' in content ? textsOfDocument(content) : textsOfSheet(content)
  return [...new Set(texts.flatMap(([text, style]) => missingIn(text, style)))]
}

/** A sheet or document as a PDF; undefined for a document with too many pages. */
export const draw = (content: Sheet | Document): Promise<Buffer | undefined> =>
  'blocks' in content ? drawDocument(content) : drawSheet(content)
