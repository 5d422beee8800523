import type { Inspected, TableFormat, TableRow } from './table.ts'

export {
  type Column,
  type Delimiter,
  type Inspected,
  TableError,
  type TableFault,
  type TableFormat,
  type TableRow,
} from './table.ts'

/** What a person decided, and how to recognise a heading. */
export type InspectOptions = {
  readonly chosen?: Partial<TableFormat>
  isHeading(text: string): boolean
}

/** Finds out how a file on disk is to be read and what its columns are, reading all of it; throws a `TableError`. */
export const inspectTable = async (_path: string, _options: InspectOptions): Promise<Inspected> => {
  throw new Error('not built yet')
}

/** The rows of a file on disk after that with the headings, while it is read; throws a `TableError`. */
export async function* readRows(_path: string, _format: TableFormat): AsyncGenerator<TableRow> {
  yield* []
  throw new Error('not built yet')
}
