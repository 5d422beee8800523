import { randomUUID } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { copyFile, link, mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Refusal } from '#src/contract/problem.ts'
import { unavailable } from '#src/contract/problems.ts'
import type { Store, StoredObject } from '#src/contract/store.ts'

const KEY = /^[a-z0-9_-][a-z0-9._-]*(?:\/[a-z0-9_-][a-z0-9._-]*)+$/
const CHUNK = 262_144

const isCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))

const unless =
  (...codes: readonly string[]) =>
  (error: unknown): undefined => {
    if (!isCode(error, ...codes)) throw error
    return undefined
  }

const locateFile = (folder: string, key: string): string => {
  if (!KEY.test(key)) throw new Error('a key of an object has segments of a-z, 0-9, dots and dashes')
  return join(folder, ...key.split('/'))
}

// A new name must also survive a power failure.
const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path, 'r').catch(unless('EISDIR', 'EPERM'))
  await folder?.sync().catch(unless('EINVAL', 'EPERM', 'EISDIR'))
  await folder?.close()
}

const writeFile = async (path: string, bodies: Iterable<AsyncIterable<Uint8Array>>): Promise<number> => {
  const file = await open(path, 'wx', 0o600)
  let size = 0
  try {
    for (const body of bodies)
      for await (const chunk of body) {
        for (let at = 0; at < chunk.length; ) at += (await file.write(chunk, at)).bytesWritten
        size += chunk.length
      }
    await file.sync()
  } finally {
    await file.close()
  }
  return size
}

const refusal = (detail: string): Refusal => new Refusal(unavailable, detail, { headers: { 'retry-after': '60' } })

// The folder that contains the root is never created here: where it was moved away, an empty one would stand in its place.
const makeFolder = async (root: string, folder: string): Promise<void> => {
  const isThere = await mkdir(folder, { mode: 0o700 }).then(
    () => true,
    (error: unknown) => {
      if (!isCode(error, 'EEXIST', 'ENOENT')) throw error
      return isCode(error, 'EEXIST')
    },
  )
  if (isThere) return
  if (folder === root) throw refusal('The folder for files is missing.')
  await makeFolder(root, dirname(folder))
  await makeFolder(root, folder)
}

const folderFor = async (root: string, path: string): Promise<string> => {
  const folder = dirname(path)
  await makeFolder(root, folder)
  return folder
}

/** Writes to a temporary name and renames the file once it is complete. */
const place = async (folder: string, key: string, bodies: Iterable<AsyncIterable<Uint8Array>>): Promise<number> => {
  const path = locateFile(folder, key)
  const unfinished = join(folder, key.split('/')[0] ?? '', 'incoming', 'unfinished', randomUUID())
  try {
    await folderFor(folder, unfinished)
    const size = await writeFile(unfinished, bodies)
    const into = await folderFor(folder, path)
    await rename(unfinished, path)
    await syncFolder(into)
    return size
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined)
    throw error
  }
}

/** Turns the error of a full or read-only disk into a refusal. */
const refusing = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (isCode(error, 'ENOSPC', 'EDQUOT')) throw refusal('The disk for files is full.')
    if (isCode(error, 'EROFS', 'EIO', 'ESTALE')) throw refusal('Files cannot be written at the moment.')
    throw error
  }
}

const linked = async (root: string, from: string, path: string): Promise<void> => {
  const into = await folderFor(root, path)
  await link(from, path).catch((error: unknown) => {
    // Some file systems have no hard links.
    if (!isCode(error, 'EPERM', 'ENOTSUP', 'EXDEV', 'EMLINK')) throw error
    return copyFile(from, path, constants.COPYFILE_EXCL)
  })
  await syncFolder(into)
}

const named = (left: { readonly name: string }, right: { readonly name: string }): number =>
  left.name < right.name ? -1 : 1

async function* walk(folder: string, prefix: string, after: string): AsyncGenerator<StoredObject> {
  const entries =
    (await readdir(join(folder, prefix), { withFileTypes: true }).catch(unless('ENOENT', 'ENOTDIR'))) ?? []
  for (const entry of entries.sort(named)) {
    const key = `${prefix}${entry.name}`
    if (entry.isDirectory()) {
      if (`${key}/\uffff` > after) yield* walk(folder, `${key}/`, after)
      continue
    }
    if (key <= after) continue
    const found = await stat(join(folder, key)).catch(unless('ENOENT'))
    if (found?.isFile()) yield { key, size: found.size, modifiedAt: found.mtime }
  }
}

// Removes folders that became empty; one that is being written to stays.
const removeEmpty = async (folder: string, key: string): Promise<void> => {
  for (let rest = dirname(key); rest.includes('/'); rest = dirname(rest)) {
    const isRemoved = await rmdir(join(folder, rest)).then(
      () => true,
      () => false,
    )
    if (!isRemoved) return
  }
}

/** A store in a folder of this machine, which is created where the folder that contains it is there. */
export const openFolder = (folder: string): Store => ({
  kind: 'folder',
  put: (key, body) => refusing(() => place(folder, key, [body])),
  join: (parts, key) =>
    refusing(async () => {
      const [first, ...others] = parts.map(part => locateFile(folder, part))
      if (first !== undefined && others.length === 0) return linked(folder, first, locateFile(folder, key))
      const bodies = parts.map(part => createReadStream(locateFile(folder, part), { highWaterMark: CHUNK }))
      await place(folder, key, bodies)
    }),
  find: async key => {
    const found = await stat(locateFile(folder, key)).catch(unless('ENOENT', 'ENOTDIR'))
    return found?.isFile() ? { size: found.size } : undefined
  },
  read: (key, stretch) => createReadStream(locateFile(folder, key), { highWaterMark: CHUNK, ...stretch }),
  remove: async key => {
    await rm(locateFile(folder, key), { force: true })
    await removeEmpty(folder, key)
  },
  list: (prefix, after = '') => walk(folder, prefix, after),
  direct: undefined,
})
