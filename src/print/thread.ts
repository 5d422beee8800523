import { parentPort } from 'node:worker_threads'
import type { Sheet } from '#src/contract/print.ts'
import { draw, missingOn } from './render.ts'

/** What the thread answers to a sheet. */
export type Answer = { readonly pdf: Uint8Array } | { readonly missing: readonly string[] } | { readonly fault: string }

const answer = async (sheet: Sheet): Promise<Answer> => {
  try {
    const missing = missingOn(sheet)
    return missing.length > 0 ? { missing } : { pdf: await draw(sheet) }
  } catch (error) {
    return { fault: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

parentPort?.on('message', async (sheet: Sheet) => parentPort?.postMessage(await answer(sheet)))
