import { pipeline } from 'node:stream/promises'
import { extract, type Pack } from 'tar-stream'
import { damaged } from './errors.ts'

/** One entry of a tar archive; the body can be read until the next entry. */
export type Entry = { readonly name: string; readonly size: number; readonly body: AsyncIterable<Buffer> }

/** What is written before the body of an entry. */
type EntryHeader = { readonly name: string; readonly size: number; readonly mtime: Date }

type Body = AsyncIterable<Buffer> | Iterable<Buffer>

async function* exactly({ name, size }: EntryHeader, body: Body): AsyncGenerator<Buffer> {
  let given = 0
  for await (const chunk of body) {
    given += chunk.length
    yield chunk
  }
  if (given !== size) throw new Error(`${name} changed while it was read`)
}

/** Adds an entry to an archive; `body` must give exactly `size` bytes. */
export const addEntry = (archive: Pack, header: EntryHeader, body: Body): Promise<void> =>
  pipeline(exactly(header, body), archive.entry({ ...header, type: 'file', mode: 0o600 }))

/** The entries of an archive, one behind the other, up to its end; what nobody reads of a body is skipped. */
export async function* readTar(bytes: AsyncIterable<Buffer>): AsyncGenerator<Entry> {
  // An error of the file is thrown as it is, and any other one is the parser's.
  let fileError: unknown
  const source = async function* () {
    try {
      yield* bytes
    } catch (error) {
      fileError = error
      throw error
    }
  }
  const explained = async function* <Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
    try {
      yield* items
    } catch {
      throw fileError ?? damaged('it is cut short or no archive')
    }
  }
  const archive = extract()
  // What fails here also fails the iteration below.
  pipeline(source, archive).catch(() => undefined)
  for await (const body of explained(archive)) {
    const { name, size, type } = body.header
    if (type !== 'file') throw damaged(`${name} is no file`)
    yield { name, size, body: explained(body as AsyncIterable<Buffer>) }
    body.resume()
  }
}

/** All the bytes of a small entry. */
export const readBytes = async (entry: Entry, most: number): Promise<Buffer> => {
  if (entry.size > most) throw damaged(`${entry.name} is too large`)
  const parts: Buffer[] = []
  for await (const part of entry.body) parts.push(part)
  return Buffer.concat(parts)
}
