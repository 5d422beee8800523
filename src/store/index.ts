import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Files } from '#src/contract/store.ts'
import { openFolder } from './folder.ts'
import type { StoreLocation } from './location.ts'
import { media } from './media.ts'

export type { S3Location } from './location.ts'

const openFolderAt = async (path: string): Promise<Files['store']> => {
  const folder = resolve(path)
  // Now, and not when a file is written; where it cannot be created, the first file is refused.
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 }).catch(() => undefined)
  return openFolder(folder)
}

/** Opens the store of files. */
export const openFiles = async (place: StoreLocation): Promise<Files> => {
  if ('folder' in place) return { store: await openFolderAt(place.folder), media }
  // The client for object stores is loaded only if it is used.
  const { openS3 } = await import('./s3.ts')
  return { store: openS3(place.s3), media }
}

async function* probe(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('stoa')
}

/** The reason why a store cannot be written, read or deleted from; undefined if all of it works. */
export const checkStore = async (place: StoreLocation): Promise<string | undefined> => {
  const key = `stoa-doctor/incoming/${randomUUID()}`
  try {
    const { store } = await openFiles(place)
    await store.put(key, probe(), 4)
    const found = await store.find(key)
    await store.remove(key)
    return found?.size === 4 ? undefined : 'a file that was written does not exist'
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  }
}
