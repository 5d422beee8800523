import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, opendir, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Pack } from 'tar-stream'
import { BackupRefused, damaged } from './errors.ts'
import type { Checksums } from './manifest.ts'
import { addEntry, type Entry } from './tar.ts'

const PREFIX = 'objects/'
// No segment may leave the folder.
const PATH = /^objects\/(?:(?!\.{1,2}\/)[^/\\\0]+\/)*(?!\.{1,2}$)[^/\\\0]+$/

type Sum = NonNullable<Checksums['objects']>

/** Computes the checksum of the objects of a backup while they are read. */
export const objectSum = () => {
  const hash = createHash('sha256')
  const so = { files: 0, bytes: 0 }
  return {
    begin: (name: string, size: number): void => {
      so.files += 1
      so.bytes += size
      hash.update(`${name}\0${size}\n`)
    },
    add: (chunk: Buffer): void => void hash.update(chunk),
    end: (): Sum => ({ ...so, sha256: hash.digest('hex') }),
  }
}

async function* counted(body: AsyncIterable<Buffer>, sum: ReturnType<typeof objectSum>): AsyncGenerator<Buffer> {
  for await (const chunk of body) {
    sum.add(chunk)
    yield chunk
  }
}

const noFolder = (error: unknown): undefined => {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
  throw error
}

/** Adds every object in a folder to an archive; gives their sum, or null where there is no folder. */
export const addObjects = async (archive: Pack, folder: string, mtime: Date): Promise<Sum | null> => {
  const sum = objectSum()
  const files = await opendir(folder, { recursive: true }).catch(noFolder)
  if (files === undefined) return null
  for await (const file of files) {
    if (file.isDirectory()) continue
    const path = join(file.parentPath, file.name)
    if (!file.isFile()) throw new BackupRefused(`${path} is no plain file`)
    const name = PREFIX + relative(folder, path).split(sep).join('/')
    // Incomplete uploads and files that were removed meanwhile are left out.
    if (relative(folder, path).split(sep)[1] === 'incoming') continue
    const found = await stat(path).catch(noFolder)
    if (found === undefined) continue
    const { size } = found
    sum.begin(name, size)
    await addEntry(archive, { name, size, mtime }, counted(createReadStream(path), sum))
  }
  return sum.end()
}

/** Whether an entry is an object, with a name that stays within its folder. */
export const isObject = ({ name }: Entry): boolean => PATH.test(name)

/** Writes an object to its path in the folder. */
export const storeObject = async (folder: string, entry: Entry, sum: ReturnType<typeof objectSum>): Promise<void> => {
  if (!isObject(entry)) throw damaged(`${entry.name} is no object`)
  const path = join(folder, ...entry.name.slice(PREFIX.length).split('/'))
  sum.begin(entry.name, entry.size)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await pipeline(counted(entry.body, sum), createWriteStream(path, { mode: 0o600, flush: true }))
}
