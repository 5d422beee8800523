import { type Document, type DocumentBlock, documentLimits } from '#src/contract/print.ts'
import { Refusal } from '#src/contract/problem.ts'
import { documentTooLarge } from '#src/contract/problems.ts'
import { lengthOfBlocks } from './block-texts.ts'

const WORDS = {
  rows: { en: 'rows', pt: 'linhas' },
  columns: { en: 'columns', pt: 'colunas' },
  characters: { en: 'characters', pt: 'caracteres' },
  footLines: { en: 'lines at the foot of a page', pt: 'linhas no rodapé' },
  footCharacters: { en: 'characters at the foot of a page', pt: 'caracteres no rodapé' },
  pages: { en: 'pages', pt: 'páginas' },
} as const

/** The refusal of a document that has too much of something. */
export const tooLarge = (what: keyof typeof documentLimits): Refusal => {
  const { en, pt } = WORDS[what]
  return new Refusal(documentTooLarge, {
    en: `A printed document has at most ${documentLimits[what]} ${en}.`,
    pt: `Um documento impresso tem no máximo ${documentLimits[what]} ${pt}.`,
  })
}

const rowsOf = (block: DocumentBlock): number => {
  if (block.type === 'table') return block.rows.length + block.totals.length
  if (block.type === 'beside') return [...block.start, ...block.end].reduce((sum, one) => sum + rowsOf(one), 0)
  return block.type === 'pairs' ? block.pairs.length : 1
}

/** Refuses a document with too many rows, columns or characters; a row has a cell for each column. */
export const checkDocument = (document: Document): void => {
  const { blocks, foot } = document
  const tables = blocks.flatMap(block => (block.type === 'table' ? [block] : []))
  const counts = {
    rows: blocks.reduce((sum, block) => sum + rowsOf(block), 0),
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
