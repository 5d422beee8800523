import { randomUUID } from 'node:crypto'
import type { Files } from '#src/contract/store.ts'
import { openFolder } from './folder.ts'
import type { StoreLocation } from './location.ts'
import { media } from './media.ts'

export type { S3Location, StoreLocation } from './location.ts'

/** Opens the place where files lie. */
export const openFiles = async (place: StoreLocation): Promise<Files> => {
  if ('folder' in place) return { store: openFolder(place.folder), media }
  // Who keeps files in a folder does not pay for the client of object stores.
  const { openS3 } = await import('./s3.ts')
  return { store: openS3(place.s3), media }
}

async function* probe(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('stoa')
}

/** Why nothing can be written, read or removed in a place; undefined when all of it can. */
export const checkStore = async (place: StoreLocation): Promise<string | undefined> => {
  const key = `stoa-doctor/incoming/${randomUUID()}`
  try {
    const { store } = await openFiles(place)
    await store.put(key, probe(), 4)
    const found = await store.find(key)
    await store.remove(key)
    return found?.size === 4 ? undefined : 'a file was written and is not there'
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  }
}
