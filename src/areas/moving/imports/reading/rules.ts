import type { TableError, TableRow } from '#src/kit/tabular/index.ts'

const messages: Readonly<Record<TableError['fault'] | 'file_missing' | 'internal_error', string>> = {
  empty: 'The file has no rows below its headings.',
  not_a_table: 'The file is not a table with an e-mail address in it.',
  old_excel: 'The file is of an Excel before 2007. Open it and save it as XLSX.',
  other_spreadsheet: 'The file is of another kind of spreadsheet, or a page. Open it and save it as XLSX or CSV.',
  protected: 'The file has a password. Open it and save it as XLSX without one.',
  damaged: 'The file is damaged. Open it and save it again as XLSX or CSV.',
  too_many_rows: 'The file has more than 50,000 rows. Divide it.',
  too_many_columns: 'The file has more than 100 columns. Delete those that are not needed.',
  too_large: 'The file is too large when it is unpacked. Divide it, or save it as CSV.',
  bad_encoding: 'The file does not fit this encoding. Choose another one.',
  no_sheet: 'The workbook has no visible sheet of this name.',
  no_header: 'This row of the file has no headings.',
  file_missing: 'The file is not there any more. Upload it again.',
  internal_error: 'The file could not be read, for a reason that is ours. The operator was told.',
}

/** Why a file cannot be read. */
export type ReadingFault = keyof typeof messages

/** Why a file cannot be read, in words. */
export const describeFault = (
  code: ReadingFault,
  row?: number,
): { readonly code: string; readonly message: string } => ({
  code,
  message: row === undefined ? messages[code] : `${messages[code]} (line ${row})`,
})

const MAX_ROWS = 1000
const MAX_CHARACTERS = 2_000_000

const measure = ({ cells }: TableRow): number => cells.reduce((sum, cell) => sum + (cell?.length ?? 0), 0)

/** Rows in batches of a thousand, or fewer where they are long. */
export async function* inBatches(rows: AsyncIterable<TableRow>): AsyncGenerator<readonly TableRow[]> {
  let batch: TableRow[] = []
  let characters = 0
  for await (const row of rows) {
    batch.push(row)
    characters += measure(row)
    if (batch.length < MAX_ROWS && characters < MAX_CHARACTERS) continue
    yield batch
    batch = []
    characters = 0
  }
  if (batch.length > 0) yield batch
}
