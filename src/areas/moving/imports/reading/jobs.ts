import { filesById } from '#src/areas/files/index.ts'
import { listFields } from '#src/areas/people/index.ts'
import type { JobParts } from '#src/contract/area.ts'
import type { Db } from '#src/contract/db.ts'
import type { Job, JobOutcome } from '#src/contract/job.ts'
import { recordWorkerChange } from '#src/db/audit.ts'
import { toId } from '#src/kit/ids.ts'
import {
  type Column,
  type Inspected,
  inspectTable,
  TableError,
  type TableRow,
  type TableSource,
} from '#src/kit/tabular/index.ts'
import { type ImportRow, type ImportValues, lockImport, storeImport } from '../import/queries.ts'
import { aboutImport } from '../import/rules.ts'
import type { StoredFormat } from '../import/schema.ts'
import { guessMapping, isKnownHeading, openOneRoster } from '../mapping/index.ts'
import { deleteRows, insertRows, readStoredRows } from '../rows/queries.ts'
import { describeFault, inBatches, type ReadingFault } from './rules.ts'

type Parts = Pick<JobParts, 'database' | 'store'>
type Values = Partial<ImportValues>

const MONTH_SECONDS = 30 * 24 * 3600

const done: JobOutcome = { againIn: undefined, settle: async () => undefined }

// A change of the format, or a deletion, while the file was read: then another run reads it, or none.
const store = async (db: Db, { schoolId, id }: Job, revision: number, values: Values): Promise<void> => {
  const row = await lockImport(db, schoolId, id)
  if (row?.status !== 'reading' || row.revision !== revision) return
  const stored = await storeImport(db, schoolId, id, values)
  const wire = toId('imp', id)
  const fields = ['status', 'format', 'mapping']
  const operation = row.kind === 'people' ? 'createMemberImport' : 'createEnrollmentImport'
  const at = { schoolId, now: stored.updated_at, operation }
  const change = { ids: [wire], fields, revision: stored.revision }
  await recordWorkerChange(db, at, change, [{ type: 'import.updated', payload: { ...aboutImport(row), fields } }])
}

const storeOutcome = (job: Job, { revision }: ImportRow, values: Values): JobOutcome => ({
  againIn: MONTH_SECONDS,
  settle: db => store(db, job, revision, values),
})

/** The outcome of reading a file that cannot be read. */
export const refuseFile = (job: Job, row: ImportRow, fault: ReadingFault, at?: number): JobOutcome =>
  storeOutcome(job, row, { status: 'unreadable', problem: describeFault(fault, at) })

const copyColumns = (columns: readonly Column[]) => columns.map(one => ({ ...one, samples: [...one.samples] }))

const toStored = ({ format, isEncodingGuessed, ...rest }: Inspected): StoredFormat => ({
  ...format,
  is_encoding_guessed: isEncodingGuessed,
  encoding_samples: [...rest.encodingSamples],
  sheets: [...rest.sheets],
  skipped: rest.skipped.map(row => [...row]),
  rows: rest.rows,
  columns: copyColumns(rest.columns),
})

// Returns whether all of them were stored.
const storeRows = async ({ database }: Parts, job: Job, row: ImportRow, rows: AsyncIterable<TableRow>) => {
  const { schoolId, id } = job
  await database.transaction(schoolId, db => deleteRows(db, schoolId, id))
  for await (const batch of inBatches(rows))
    if (!(await database.transaction(schoolId, db => insertRows(db, schoolId, row, batch)))) return false
  return true
}

// How a file of OneRoster is read is not chosen.
const ONE_ROSTER = {
  type: 'oneroster',
  encoding: 'utf-8',
  delimiter: ',',
  sheet: null,
  header_row: 1,
  is_encoding_guessed: false,
} as const satisfies Partial<StoredFormat>

type OpenFile = { readonly format: StoredFormat; readonly rows: AsyncIterable<TableRow> }

const openFile = async (source: Exclude<TableSource, string>, { chosen }: ImportRow): Promise<OpenFile> => {
  const roster = await openOneRoster(source)
  if (roster !== undefined) {
    const list = { encoding_samples: [], sheets: [], skipped: [] }
    const format = { ...ONE_ROSTER, ...list, rows: roster.rows, columns: copyColumns(roster.columns) }
    return { format, rows: roster.readRows() }
  }
  const inspected = await inspectTable(source, { chosen, isHeading: isKnownHeading })
  return { format: toStored(inspected), rows: inspected.readRows() }
}

const readTable = async (parts: Parts, job: Job, row: ImportRow, key: string): Promise<JobOutcome> => {
  const { database, store } = parts
  const { schoolId, id } = job
  const source = () => store.read(key)
  const { format, rows } = await openFile(source, row)
  if (!(await storeRows(parts, job, row, rows))) return done
  const guessed = await database.statements(schoolId, async db =>
    guessMapping({
      kind: row.kind,
      columns: format.columns,
      rows: readStoredRows(db, schoolId, id),
      customFields: await listFields(db, schoolId),
    }),
  )
  return storeOutcome(job, row, {
    status: 'ready',
    format,
    ...guessed,
    is_mapping_guessed: true,
    problem: null,
  })
}

/** Reads the file of an import into its rows, and guesses what its columns are; a run that was interrupted is repeated. */
export const readFile = async (parts: Parts, job: Job, row: ImportRow): Promise<JobOutcome> => {
  const { database, store } = parts
  const fileId = row.file_id ?? ''
  const files = await database.statements(job.schoolId, db => filesById(db, job.schoolId, [fileId]))
  const file = files.get(fileId)
  if (file === undefined || (await store.find(file.object_key)) === undefined)
    return refuseFile(job, row, 'file_missing')
  try {
    return await readTable(parts, job, row, file.object_key)
  } catch (error) {
    if (error instanceof TableError) return refuseFile(job, row, error.fault, error.row)
    throw error
  }
}
