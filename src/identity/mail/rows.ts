import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import type { MailRows, MailTable } from '#src/contract/mail.ts'
import { type Html, html } from '#src/kit/html.ts'
import { cleanLine } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import type { Styles } from './style.ts'

/** The rows of a table as they are stored, and how many were left out. */
export type StoredRows = { readonly rows: MailRows; readonly more: number }

const MAX_ROWS = 200
const MAX_CELLS = 8
const MAX_CELL = 200
// A longer cell continues on the next line of a text.
const MAX_WIDTH = 40

/** The first rows of a table, each cell as one line of visible text. */
export const boundedRows = (rows: MailRows): StoredRows => ({
  rows: rows.slice(0, MAX_ROWS).map(cells => cells.slice(0, MAX_CELLS).map(cell => cleanLine(cell, MAX_CELL))),
  more: Math.max(0, rows.length - MAX_ROWS),
})

const left: Phrase = texts.identity.mail.rows.left

/** The sentence below a table whose last rows were left out. */
export const leftOut = ({ more }: StoredRows, language: Language): string | undefined =>
  more === 0 ? undefined : fill(left, language, { more })

const listHeadings = ({ columns }: MailTable, language: Language): readonly string[] | undefined =>
  columns.some(({ heading }) => heading !== undefined)
    ? columns.map(({ heading }) => (heading === undefined ? '' : fill(heading, language)))
    : undefined

const listCells = ({ columns }: MailTable, cells: readonly string[]): string[] =>
  columns.map((_, index) => cells[index] ?? '')

type Tables = Readonly<Record<string, StoredRows | undefined>>

type Line = { readonly cells: readonly string[]; readonly kind: 'row' | 'total' | 'note' }

// Of the sums the first is the total, and the others explain it.
const listRows = ({ rows, sums }: MailTable, tables: Tables): Line[] => [
  ...(tables[rows]?.rows ?? []).map(cells => ({ cells, kind: 'row' as const })),
  ...(sums === undefined ? [] : (tables[sums]?.rows ?? [])).map((cells, at) => ({
    cells,
    kind: at === 0 ? ('total' as const) : ('note' as const),
  })),
]

const cellStyles = { row: 'cell', total: 'total', note: 'note' } as const
const cellClasses = { row: 'line', total: 'line', note: 'quiet' } as const

// What staff wrote is read as a text, line by line.
const isProse = ({ columns: [first, ...others] }: MailTable): boolean =>
  others.length === 0 && first?.heading === undefined

/** A table in HTML; one column without a heading is a paragraph of lines. */
export const htmlTable = (table: MailTable, tables: Tables, language: Language, styles: Styles): Html => {
  const { columns } = table
  if (isProse(table))
    return html`<p style="${styles.text}" dir="auto">${listRows(table, tables).map(({ cells }, at) => html`${at > 0 && html`<br>`}${cells[0]}`)}</p>`
  const headings = listHeadings(table, language)
  // A figure is never broken, and beside a long cell others keep the width of a word.
  const align = (index: number): string => {
    if (index === 0) return 'min-width:92px;text-align:start'
    const isFigure = columns[index]?.align === 'end'
    return `padding-inline-start:16px;${isFigure ? 'white-space:nowrap;text-align:end' : 'min-width:60px;text-align:start'}`
  }
  const head = (heading: string, index: number): Html =>
    html`<th scope="col" class="quiet line" style="${styles.cell};${align(index)};font-size:14px;font-weight:400">${heading}</th>`
  const cell = ({ cells, kind }: Line) =>
    listCells(table, cells).map(
      (text, index) =>
        html`<td class="${cellClasses[kind]}" style="${styles[cellStyles[kind]]};${align(index)}" dir="auto">${text}</td>`,
    )
  return html`<table style="${styles.table}">
${headings !== undefined && html`<tr>${headings.map(head)}</tr>\n`}${listRows(table, tables).map(line => html`<tr>${cell(line)}</tr>\n`)}</table>`
}

// UAX #11, in outline: these take two columns of a text with letters of one width.
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

const splitLetters = (text: string): string[] => [...graphemes.segment(text)].map(({ segment }) => segment)
const computeWidth = (text: string): number =>
  splitLetters(text).reduce((sum, letter) => sum + (WIDE.test(letter) ? 2 : 1), 0)

// A word that is wider than a line is cut.
const cutWord = (word: string): string[] => {
  const pieces = ['']
  for (const letter of splitLetters(word)) {
    const last = pieces.at(-1) ?? ''
    if (computeWidth(last + letter) <= MAX_WIDTH) pieces[pieces.length - 1] = last + letter
    else pieces.push(letter)
  }
  return pieces
}

const listLines = (cell: string): string[] => {
  const lines = ['']
  for (const word of cell.split(' ').flatMap(cutWord)) {
    const last = lines.at(-1) ?? ''
    const longer = last === '' ? word : `${last} ${word}`
    if (computeWidth(longer) <= MAX_WIDTH) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

const padded = (text: string, width: number, align: 'end' | undefined): string => {
  const space = ' '.repeat(Math.max(0, width - computeWidth(text)))
  return align === 'end' ? `${space}${text}` : `${text}${space}`
}

/** A table in text: columns of one width each, two spaces apart; a long cell has several lines. */
export const textTable = (table: MailTable, tables: Tables, language: Language): string => {
  const { columns } = table
  if (isProse(table))
    return listRows(table, tables)
      .map(({ cells }) => cells[0] ?? '')
      .join('\n')
  const headings = listHeadings(table, language)
  const rows = listRows(table, tables).map(({ cells }) => cells)
  const all = [...(headings === undefined ? [] : [headings]), ...rows].map(cells =>
    listCells(table, cells).map(listLines),
  )
  const widths = columns.map((_, index) => Math.max(0, ...all.flatMap(cells => (cells[index] ?? []).map(computeWidth))))
  const lineAt = (cells: readonly string[][], line: number): string =>
    columns
      .map(({ align }, index) => padded(cells[index]?.[line] ?? '', widths[index] ?? 0, align))
      .join('  ')
      .trimEnd()
  return all
    .flatMap(cells =>
      Array.from({ length: Math.max(...cells.map(lines => lines.length)) }, (_, line) => lineAt(cells, line)),
    )
    .join('\n')
}
