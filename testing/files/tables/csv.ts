/** How a program writes a table as text. */
type CsvForm = {
  readonly delimiter?: string
  readonly lineEnd?: string
  /** Whether the last line has a line end. */
  readonly endsLine?: boolean
  /** Whether every cell is in quotation marks. */
  readonly quotesAll?: boolean
}

/** Writes a table as text. */
export const writeCsv = (
  rows: readonly (readonly string[])[],
  { delimiter = ',', lineEnd = '\r\n', endsLine = true, quotesAll = false }: CsvForm = {},
): string => {
  const quote = (cell: string): string =>
    quotesAll || cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
  return rows.map(cells => cells.map(quote).join(delimiter)).join(lineEnd) + (endsLine ? lineEnd : '')
}

/** UTF-8 with a byte order mark, as Excel saves "CSV UTF-8". */
export const encodeMarked = (text: string): Buffer => Buffer.from(`\ufeff${text}`)

/** UTF-16LE with a byte order mark, as Excel saves "Unicode text". */
export const encodeUtf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le')

const ansi = new Map(
  [...new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, at) => at))].map((letter, at) => [
    letter,
    at,
  ]),
)

/** windows-1252, as Excel saves "CSV" in Western Europe; a letter that it does not have becomes a question mark. */
export const encodeAnsi = (text: string): Buffer => Buffer.from([...text].map(letter => ansi.get(letter) ?? 0x3f))
