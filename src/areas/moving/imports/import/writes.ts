import type { Static } from 'typebox'
import { filesById, releaseFiles, useFile } from '#src/areas/files/index.ts'
import { coursesFor } from '#src/areas/learning/index.ts'
import { listFields } from '#src/areas/people/index.ts'
import type { Fact } from '#src/contract/fact.ts'
import type { WriteContext } from '#src/contract/operation.ts'
import type { FieldError } from '#src/contract/problem.ts'
import { Refusal } from '#src/contract/problem.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { dropJob, putJob } from '#src/db/jobs.ts'
import { newUuid } from '#src/kit/ids.ts'
import { changedFields } from '#src/kit/patch.ts'
import { cleanTags } from '#src/kit/text.ts'
import { lockVisibleImport, readVisible } from '../access.ts'
import { type ColumnMapping, errorsOfMapping, resolveFormats } from '../mapping/index.ts'
import { readStoredRows, resetRows } from '../rows/queries.ts'
import {
  deleteImportRow,
  findImport,
  IMPORT_JOB,
  type ImportRow,
  insertImport,
  listImportsWith,
  storeImport,
} from './queries.ts'
import {
  aboutImport,
  checkStatus,
  columnAmbiguous,
  DEFAULT_OPTIONS,
  errorsOfFields,
  errorsOfOptions,
  fileUnreadable,
  mappingIncomplete,
  NO_COUNTS,
  readSource,
  UNCHECKED,
} from './rules.ts'
import type { ImportChange, Kind, Options } from './schema.ts'
import { importView } from './views.ts'

type Change = Static<typeof ImportChange>
type Mappings = NonNullable<Change['mapping']>

/** What a write did to an import: the row as it is now, and what is recorded of it; without a fact nothing changed. */
export type Written = { readonly row: ImportRow; readonly fields?: readonly string[]; readonly fact?: Fact }

const updated = (row: ImportRow, fields: readonly string[]): Written => ({
  row,
  fields,
  fact: { type: 'import.updated', payload: { ...aboutImport(row), fields } },
})

/** Takes an upload of the caller for an import, which the worker then reads. */
export const addImport = async (context: WriteContext, kind: Kind, uploadId: string): Promise<Written> => {
  const { db, school, caller, now } = context
  await readVisible(context, kind)
  const reference = { id: uploadId, pointer: '/upload_id', purposes: ['import'], memberId: caller.member.id } as const
  // Locks the upload, so that of two imports at the same moment one sees the other.
  const fileId = await useFile(context, reference)
  if ((await listImportsWith(db, school.id, [fileId])).length > 0)
    refuseInvalid([{ pointer: '/upload_id', code: 'taken', message: 'is the file of another import; upload it again' }])
  const file = (await filesById(db, school.id, [fileId])).get(fileId)
  if (file === undefined) throw new Error('a file that was taken is not there')
  const { filename, byte_size: bytes, sha256 } = file
  const id = newUuid(now.getTime())
  await insertImport(db, school.id, {
    id,
    kind,
    fileId,
    file_name: filename,
    byteSize: Number(bytes),
    sha256,
    options: DEFAULT_OPTIONS,
    counts: NO_COUNTS,
    starterId: caller.member.id,
  })
  await putJob(db, school.id, { kind: IMPORT_JOB, id, dueAt: now })
  const row = await findImport(db, school.id, id)
  if (row === undefined) throw new Error('an import that was stored is not there')
  return { row, fields: ['upload_id'], fact: { type: 'import.created', payload: aboutImport(row) } }
}

const cleanMapping = (mapping: Mappings): ColumnMapping[] =>
  mapping.map(({ column, field, format }) => ({ column, field, ...(format ? { format } : {}) }))

const listErrors = async (context: WriteContext, row: ImportRow, mapping: readonly ColumnMapping[]) => {
  const { db, school, caller } = context
  const fields = await listFields(db, school.id)
  return [...errorsOfMapping(row.kind, mapping, row.format?.columns ?? [], fields), ...errorsOfFields(caller, mapping)]
}

// What concerns a single column is wrong already; what is still missing may come with the next change.
const isOfColumn = ({ pointer }: FieldError): boolean => pointer.startsWith('/mapping/')

const changeMapping = async (context: WriteContext, row: ImportRow, mapping: readonly ColumnMapping[]) => {
  const { db, school } = context
  checkStatus(row, ['ready', 'checked'])
  refuseInvalid((await listErrors(context, row, mapping)).filter(isOfColumn))
  const resolved = await resolveFormats({
    kind: row.kind,
    customFields: await listFields(db, school.id),
    mapping,
    columns: row.format?.columns ?? [],
    rows: readStoredRows(db, school.id, row.id),
    source: readSource(row),
  })
  return { ...resolved, is_mapping_guessed: false }
}

const changeOptions = async (context: WriteContext, row: ImportRow, input: Partial<Options>): Promise<Options> => {
  const { course_id: courseId, tags } = input
  if (courseId && (await coursesFor(context, [courseId])).length === 0)
    refuseInvalid([{ pointer: '/options/course_id', code: 'unknown', message: 'is not a course you may enroll in' }])
  const options = { ...row.options, ...input, ...(tags === undefined ? {} : { tags: cleanTags(tags) }) }
  refuseInvalid(errorsOfOptions(context.caller, options))
  return options
}

const readAgain = (row: ImportRow, format: NonNullable<Change['format']>) => {
  const reset = { format: null, mapping: [], is_mapping_guessed: true, ambiguous: [], problem: null }
  return { ...UNCHECKED, ...reset, status: 'reading', chosen: { ...row.chosen, ...format } } as const
}

const buildChange = async (context: WriteContext, row: ImportRow, { format, mapping, options }: Change) => {
  if (format !== undefined && mapping !== undefined)
    refuseInvalid([
      { pointer: '/mapping', code: 'contradiction', message: 'is of the columns before the format changes' },
    ])
  return {
    ...(mapping === undefined ? {} : await changeMapping(context, row, cleanMapping(mapping))),
    ...(options === undefined ? {} : { options: await changeOptions(context, row, options) }),
    ...(format === undefined ? {} : { chosen: { ...row.chosen, ...format } }),
  }
}

/** Changes how a file is read, what its columns are, or what the import does; afterwards it has to be checked again. */
export const changeImport = async (context: WriteContext, kind: Kind, id: string, body: Change): Promise<Written> => {
  const { db, school, now, requireMatch } = context
  const row = await lockVisibleImport(context, kind, id)
  await requireMatch(row.revision, () => importView(context, row))
  checkStatus(row, ['unreadable', 'ready', 'checked'])
  const values = await buildChange(context, row, body)
  const fields = changedFields<ImportRow>(row, values)
  if (fields.length === 0) return { row }
  const { format } = body
  if (row.status === 'checked') await resetRows(db, school.id, id)
  if (format !== undefined) await putJob(db, school.id, { kind: IMPORT_JOB, id, dueAt: now })
  const reset = row.status === 'unreadable' ? {} : UNCHECKED
  const stored = await storeImport(db, school.id, id, {
    ...values,
    ...(format === undefined ? reset : readAgain(row, format)),
  })
  return updated(stored, fields)
}

const checkReady = async (context: WriteContext, row: ImportRow): Promise<void> => {
  if (row.status === 'unreadable') throw new Refusal(fileUnreadable, row.problem?.message ?? 'The file cannot be read.')
  checkStatus(row, ['ready', 'checked'])
  const needsCourse =
    row.kind === 'learning' && row.options.course_id === null && !row.mapping.some(({ field }) => field === 'course')
  const errors = [
    ...(await listErrors(context, row, row.mapping)),
    ...errorsOfOptions(context.caller, row.options),
    ...(needsCourse
      ? [{ pointer: '/options/course_id', code: 'required', message: 'is required, unless a column is the course' }]
      : []),
  ]
  if (errors.length > 0) throw new Refusal(mappingIncomplete, 'The mapping of the import is incomplete.', { errors })
  if (row.ambiguous.length > 0)
    throw new Refusal(columnAmbiguous, 'Choose how the column is read.', { members: { ambiguous: row.ambiguous } })
}

/** Begins the check of an import. */
export const startCheck = async (context: WriteContext, kind: Kind, id: string): Promise<Written> => {
  const { db, school, caller, now } = context
  const row = await lockVisibleImport(context, kind, id)
  if (row.status === 'checking') return { row }
  await checkReady(context, row)
  await putJob(db, school.id, { kind: IMPORT_JOB, id, dueAt: now })
  const started = { ...UNCHECKED, status: 'checking', started_by: caller.member.id } as const
  const stored = await storeImport(db, school.id, id, started)
  return updated(stored, ['status'])
}

/** Deletes an import that was never run, with its file. */
export const dropImport = async (context: WriteContext, kind: Kind, id: string): Promise<Written> => {
  const { db, school, requireMatch } = context
  const row = await lockVisibleImport(context, kind, id)
  await requireMatch(row.revision, () => importView(context, row))
  checkStatus(row, ['reading', 'unreadable', 'ready', 'checking', 'checked'])
  await dropJob(db, school.id, IMPORT_JOB, id)
  await deleteImportRow(db, school.id, id)
  if (row.file_id !== null) await releaseFiles(db, school.id, [row.file_id])
  return { row, fields: [], fact: { type: 'import.deleted', payload: aboutImport(row) } }
}
