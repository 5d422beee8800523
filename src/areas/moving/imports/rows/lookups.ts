import type { Static } from 'typebox'
import { isStaff } from '#src/contract/caller.ts'
import type { Cells, ReadContext } from '#src/contract/operation.ts'
import { buildPage, parsePage } from '#src/contract/pagination.ts'
import { getImport } from '../access.ts'
import type { ImportRow } from '../import/queries.ts'
import type { Kind } from '../import/schema.ts'
import { countRows, listRows, type RowFilter, rowsStatement, type StoredRow } from './queries.ts'
import { formatFindings } from './rules.ts'
import type { ImportRowPage, ImportRowsQuery } from './schema.ts'

/** The context of a list of rows. */
export type RowsReading = ReadContext & {
  readonly params: { readonly import_id: string }
  readonly query: Static<typeof ImportRowsQuery>
}
type RowView = Static<typeof ImportRowPage>['data'][number]

const readFilter = ({ query: { status, notice } }: RowsReading): RowFilter => ({ status, notice })

type Heading = { readonly index: number; readonly name: string }

// A column whose name is taken has a number.
const listHeadings = ({ format }: ImportRow, taken: readonly string[] = []): Heading[] => {
  const names = new Set(taken)
  return (format?.columns ?? []).map(({ index, heading }) => {
    const first = heading || `column ${index + 1}`
    let name = first
    for (let at = 2; names.has(name); at += 1) name = `${first} ${at}`
    names.add(name)
    return { index, name }
  })
}

const readValues = (row: StoredRow, headings: readonly Heading[]): RowView['values'] => {
  const { cells } = row
  return cells && Object.fromEntries(headings.map(({ index, name }) => [name, cells[index] ?? null]))
}

const toFindings = (findings: StoredRow['errors']): RowView['errors'] =>
  findings.map(({ pointer, code, message, values }) => ({
    pointer,
    code,
    message,
    ...(values === undefined ? {} : { values: { ...values } }),
  }))

const buildRow = (row: StoredRow, headings: readonly Heading[], maySee: boolean): RowView => ({
  number: row.number,
  status: row.status ?? 'skipped',
  member_id: maySee || row.is_disclosed ? row.member_id : null,
  enrollment_id: maySee || row.is_disclosed ? row.enrollment_id : null,
  values: readValues(row, headings),
  errors: toFindings(row.errors),
  notices: toFindings(row.notices),
  reason: row.reason,
})

/** A page of the rows of an import that have a result. */
export const listImportRows = async (context: RowsReading, kind: Kind) => {
  const { db, school } = context
  const found = await getImport(context, kind, context.params.import_id)
  const { rows, after } = parsePage(context)
  const filter = readFilter(context)
  const page = await listRows(db, school.id, found.id, { filter, rows, after: Number(after?.[0] ?? -1) })
  const headings = listHeadings(found)
  return buildPage(context, page, {
    readPosition: ({ number }) => [String(number)],
    renderViews: shown => shown.map(row => buildRow(row, headings, isStaff(context.caller))),
    total: () => countRows(db, school.id, found.id, filter),
  })
}

/** The cells of the report that come before those of the file. */
export const reportCells = {
  member_id: row => (row.is_disclosed ? row.member_id : null),
} satisfies Cells<StoredRow>

const endCells: Cells<StoredRow> = { result: ({ status }) => status, why: formatFindings }

const OWN_COLUMNS = [...Object.keys(reportCells), ...Object.keys(endCells)]

// An object has keys that are whole numbers before all others, in another order than the file.
const toKey = (name: string): string => (/^\d+$/.test(name) ? `${name} ` : name)

/** The report of an import as CSV: the columns of its file, and then the result of each row, and why. */
export const readReport = (kind: Kind) => ({
  moreCells: async (context: RowsReading): Promise<Cells<StoredRow>> => {
    const headings = listHeadings(await getImport(context, kind, context.params.import_id), OWN_COLUMNS)
    const ofFile = headings.map(({ index, name }) => [toKey(name), (row: StoredRow) => row.cells?.[index] ?? null])
    return { ...Object.fromEntries(ofFile), ...endCells }
  },
  statement: async (context: RowsReading) => {
    const found = await getImport(context, kind, context.params.import_id)
    return rowsStatement(context.school.id, found.id, readFilter(context))
  },
})
