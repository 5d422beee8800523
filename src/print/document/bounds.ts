import { fillEach } from '#src/contract/language.ts'
import { type Document, type DocumentBlock, documentLimits } from '#src/contract/print.ts'
import { Refusal } from '#src/contract/problem.ts'
import { documentTooLarge } from '#src/contract/problems.ts'
import { texts } from '#src/texts/index.ts'
import { lengthOfBlocks } from './block-texts.ts'

/** The refusal of a document that has too much of something. */
export const tooLarge = (what: keyof typeof documentLimits): Refusal =>
  new Refusal(documentTooLarge, fillEach(texts.print.tooLarge[what], { n: documentLimits[what] }))

const countRows = (block: DocumentBlock): number => {
  if (block.type === 'table') return block.rows.length + block.totals.length
  if (block.type === 'beside') return [...block.start, ...block.end].reduce((sum, one) => sum + countRows(one), 0)
  return block.type === 'pairs' ? block.pairs.length : 1
}

/** Refuses a document with too many rows, columns or characters; a row has a cell for each column. */
export const checkDocument = (document: Document): void => {
  const { blocks, foot } = document
  const tables = blocks.flatMap(block => (block.type === 'table' ? [block] : []))
  const counts = {
    rows: blocks.reduce((sum, block) => sum + countRows(block), 0),
    columns: Math.max(0, ...tables.map(({ columns }) => columns.length)),
    characters: lengthOfBlocks(document),
    footLines: foot.length,
    footCharacters: foot.join('').length,
  }
  for (const what of ['rows', 'columns', 'characters', 'footLines', 'footCharacters'] as const)
    if (counts[what] > documentLimits[what]) throw tooLarge(what)
  for (const { columns, rows: all } of tables) {
    if (columns.length === 0 || columns.some(({ width }) => !(width > 0)))
      throw new Error('a column has a positive width')
    if (all.some(cells => cells.length !== columns.length)) throw new Error('a row has a cell for each column')
  }
}
