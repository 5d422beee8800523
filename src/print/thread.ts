import { parentPort } from 'node:worker_threads'
import type { Document, Sheet } from '#src/contract/print.ts'
import { draw, missingOn } from './render.ts'

/** The result of the thread for a sheet or document. */
export type Answer =
  | { readonly pdf: Uint8Array }
  | { readonly missing: readonly string[] }
  | { readonly isTooLarge: true }
  | { readonly error: string }

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
