import type { ArchiveFile } from '../../archive/contents.ts'
import { walkXml } from '../../xml.ts'
import { MAX_CELL_CHARACTERS } from '../cells.ts'
import { TableError } from '../table.ts'

// As many as the cells that a table may have.
const MAX_STRINGS = 5_000_000
const MAX_BYTES = 64_000_000

/** The texts to which cells refer by their number. */
export type SharedStrings = { find(index: number): string | undefined }

/** What is kept of a text: more than a cell may have, so that a longer one is known. */
export const keepText = (before: string, part: string): string =>
  before.length > 2 * MAX_CELL_CHARACTERS ? before : before + part.slice(0, 2 * MAX_CELL_CHARACTERS)

// ISO/IEC 29500-1, 22.9.2.19: characters that XML cannot have, and underscores before what looks like one of them.
const ESCAPED = /_x([\da-f]{4})_/gi

/** A text whose characters may be escaped by their numbers. */
export const decodeEscapes = (text: string): string =>
  text.includes('_x')
    ? text.replace(ESCAPED, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text

const BLOCK_BYTES = 1_048_576

// Texts are kept as bytes, since a part of a string keeps the whole from which it was taken; none is in two blocks.
const createStore = () => {
  const blocks: Buffer[] = []
  let ends = new Uint32Array(1024)
  let [end, count] = [0, 0]
  const findBlock = (size: number): Buffer => {
    if (end + size > blocks.length * BLOCK_BYTES) {
      end = blocks.length * BLOCK_BYTES
      blocks.push(Buffer.allocUnsafeSlow(BLOCK_BYTES))
    }
    return blocks.at(-1) ?? Buffer.alloc(0)
  }
  const readPiece = (from: number, to: number): string => {
    const block = Math.floor((to - 1) / BLOCK_BYTES)
    const start = block * BLOCK_BYTES
    return blocks[block]?.toString('utf8', Math.max(from - start, 0), to - start) ?? ''
  }
  return {
    add: (text: string) => {
      const size = Buffer.byteLength(text)
      if (count === MAX_STRINGS || end + size > MAX_BYTES) throw new TableError('too_large')
      if (size > 0) findBlock(size).write(text, end % BLOCK_BYTES)
      end += size
      if (count === ends.length) {
        const longer = new Uint32Array(2 * count)
        longer.set(ends)
        ends = longer
      }
      ends[count] = end
      count += 1
    },
    find: (index: number): string | undefined => {
      const to = ends[index]
      if (to === undefined || index >= count) return undefined
      const from = index === 0 ? 0 : (ends[index - 1] ?? 0)
      return from === to ? '' : readPiece(from, to)
    },
  }
}

/** Reads the shared strings of a workbook; throws a `TableError` for too many. */
export const readSharedStrings = async (part: ArchiveFile | undefined): Promise<SharedStrings> => {
  const store = createStore()
  let text = ''
  let isText = false
  // How a text is pronounced is beside it, in elements of the same name.
  let isPhonetic = false
  if (part === undefined) return store
  await walkXml(part.stream(part.size), {
    open: name => {
      if (name === 'si') text = ''
      if (name === 'rPh') isPhonetic = true
      isText = name === 't' && !isPhonetic
    },
    close: name => {
      isText = false
      if (name === 'rPh') isPhonetic = false
      if (name === 'si') store.add(decodeEscapes(text))
    },
    text: piece => {
      if (isText) text = keepText(text, piece)
    },
  })
  return store
}
