import { parentPort } from 'node:worker_threads'
import type { Document, Sheet } from '#src/contract/print.ts'
import { drawDocument } from './document/draw.ts'
import { textsOfDocument } from './document/texts.ts'
import { missingIn } from './runs.ts'
import { drawSheet, textsOfSheet } from './sheet.ts'

/** The result of the thread for a sheet or document. */
export type Answer =
  | { readonly pdf: Uint8Array }
  | { readonly missing: readonly string[] }
  | { readonly isTooLarge: true }
  | { readonly error: string }

// The characters of a sheet or document for which no font is there.
const missingOn = (content: Sheet | Document): string[] => {
  const texts = 'blocks' in content ? textsOfDocument(content) : textsOfSheet(content)
  return [...new Set(texts.flatMap(([text, style]) => missingIn(text, style)))]
}

// A sheet or document as a PDF; undefined for a document with too many pages.
const draw = (content: Sheet | Document): Promise<Buffer | undefined> =>
  'blocks' in content ? drawDocument(content) : drawSheet(content)

const answer = async (content: Sheet | Document): Promise<Answer> => {
  try {
    const missing = missingOn(content)
    if (missing.length > 0) return { missing }
    const pdf = await draw(content)
    return pdf === undefined ? { isTooLarge: true } : { pdf }
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

parentPort?.on('message', async (content: Sheet | Document) => parentPort?.postMessage(await answer(content)))
