import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, opendir, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { BackupRefused, damaged } from './errors.ts'
import type { Checksums } from './manifest.ts'
import { type Entry, tarEntry } from './tar.ts'

const PREFIX = 'objects/'
// No segment may lead anywhere but down.
const PATH = /^objects\/(?:(?!\.{1,2}\/)[^/\\\0]+\/)*(?!\.{1,2}$)[^/\\\0]+$/

type Sum = NonNullable<Checksums['objects']>

/** Adds up the objects of a backup as they pass by. */
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

/** The entries of every object in a folder; gives what they come to, or null where there is no folder. */
export async function* objectEntries(folder: string, seconds: number): AsyncGenerator<Buffer, Sum | null> {
  const sum = objectSum()
  const files = await opendir(folder, { recursive: true }).catch(noFolder)
  if (files === undefined) return null
  for await (const file of files) {
    if (file.isDirectory()) continue
    const path = join(file.parentPath, file.name)
    if (!file.isFile()) throw new BackupRefused(`${path} is no plain file`)
    const name = PREFIX + relative(folder, path).split(sep).join('/')
    // What is still on its way is no file yet, and one that was removed meanwhile is none any more.
    if (relative(folder, path).split(sep)[1] === 'incoming') continue
    const found = await stat(path).catch(noFolder)
    if (found === undefined) continue
    const { size } = found
    sum.begin(name, size)
    yield* tarEntry(name, size, seconds, counted(createReadStream(path), sum))
  }
  return sum.end()
}

/** Whether an entry is an object, with a name that stays within its folder. */
export const isObject = ({ name }: Entry): boolean => PATH.test(name)

/** Writes an object where it belongs in the folder. */
export const storeObject = async (folder: string, entry: Entry, sum: ReturnType<typeof objectSum>): Promise<void> => {
  if (!isObject(entry)) throw damaged(`${entry.name} is no object`)
  const path = join(folder, ...entry.name.slice(PREFIX.length).split('/'))
  sum.begin(entry.name, entry.size)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await pipeline(counted(entry.body, sum), createWriteStream(path, { mode: 0o600, flush: true }))
}
