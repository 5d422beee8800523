import { parentPort } from 'node:worker_threads'
import type { Sheet } from '#src/contract/print.ts'
import { draw, missingOn } from './render.ts'

/** The result of the thread for a sheet. */
export type Answer = { readonly pdf: Uint8Array } | { readonly missing: readonly string[] } | { readonly error: string }

const answer = async (sheet: Sheet): Promise<Answer> => {
  try {
    const missing = missingOn(sheet)
    return missing.length > 0 ? { missing } : { pdf: await draw(sheet) }
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

parentPort?.on('message', async (sheet: Sheet) => parentPort?.postMessage(await answer(sheet)))
