import { type Caller, isStaff } from '#src/contract/caller.ts'
import { type FieldError, problem, Refusal } from '#src/contract/problem.ts'
import { invalidState } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { type ColumnMapping, sources } from '../mapping/index.ts'
import type { ImportRow } from './queries.ts'
import type { Counts, Kind, Options, Status, StoredFormat } from './schema.ts'

/** The file of the import cannot be read. */
export const fileUnreadable = problem(
  409,
  'file_unreadable',
  'The file of the import cannot be read',
  'The problem of the import says why. Choose another encoding, delimiter, sheet or row of headings, or upload the file again as CSV or XLSX.',
)

/** The mapping lacks what the import needs. */
export const mappingIncomplete = problem(
  422,
  'mapping_incomplete',
  'The mapping of the import is incomplete',
  'A column for the e-mail address is required, each column is one thing, and each field other than tags is in one column. errors says what is wrong.',
)

/** The values of a column fit several formats. */
export const columnAmbiguous = problem(
  422,
  'column_ambiguous',
  'A column can be read in several ways',
  'The values of a column fit several formats, such as day before month and month before day. ambiguous has samples of each; choose one as the format of the column in the mapping.',
)

/** The import was not checked as it is now. */
export const notChecked = problem(
  409,
  'not_checked',
  'The import has not been checked',
  'An import runs once it was checked, and a change of its mapping or its options needs another check.',
)

/** Thirty days have passed. */
export const undoOver = problem(
  409,
  'undo_over',
  'The import can no longer be undone',
  'An import can be undone for 30 days after its end; undo_until of the import says until when.',
)

/** Another import runs in the school. */
export const importRunning = problem(
  409,
  'import_running',
  'Another import is running',
  'One import runs or is undone in a school at a time. Wait until it has ended.',
  true,
)

/** How many rows with each result there are before any was handled. */
export const NO_COUNTS: Counts = { created: 0, updated: 0, unchanged: 0, failed: 0, skipped: 0, notices: 0 }

/** What every fact about an import says: which it is, and of what. */
export const aboutImport = ({ id, kind }: Pick<ImportRow, 'id' | 'kind'>) => ({ import_id: toId('imp', id), kind })

/** What an import does unless somebody chooses otherwise. */
export const DEFAULT_OPTIONS: Options = {
  existing: 'update',
  restore_deleted: false,
  send_invitations: false,
  notify: false,
  issue_certificates: false,
  course_id: null,
  tags: [],
  inactive: 'report',
}

/** What is reset when an import has to be checked again. */
export const UNCHECKED = {
  status: 'ready',
  counts: NO_COUNTS,
  position: null,
  group_count: 0,
  handled_count: 0,
  is_fully_checked: false,
  checked_at: null,
} as const

/** The last parts of the ids of the operations that a status allows, besides reading. */
const ACTIONS: Readonly<Record<Status, readonly string[]>> = {
  reading: ['delete'],
  unreadable: ['update', 'delete'],
  ready: ['update', 'check', 'delete'],
  checking: ['delete'],
  checked: ['update', 'check', 'run', 'delete'],
  running: [],
  stopped: ['run', 'undo'],
  completed: ['undo'],
  undoing: [],
  undone: [],
}

const FAMILIES: Readonly<Record<Kind, string>> = { people: 'MemberImport', learning: 'EnrollmentImport' }

/** Whether the time has passed in which an import that has ended can be undone. */
export const isUndoOver = ({ ended_at: endedAt, expires_in: seconds }: ImportRow): boolean =>
  endedAt !== null && seconds <= 0

/** Whether a run by somebody does what the check found: for a lecturer it found less than it would for staff. */
export const isCheckedFor = (caller: Caller, { status, is_fully_checked }: ImportRow): boolean =>
  status !== 'checked' || is_fully_checked || !isStaff(caller)

// What an import lacks besides its status: the operation would refuse it.
const isPossible = (caller: Caller, row: ImportRow, action: string): boolean => {
  if (action === 'check') return row.ambiguous.length === 0 && row.mapping.some(({ field }) => field === 'email')
  if (action === 'run') return isCheckedFor(caller, row) && errorsOfRights(caller, row).length === 0
  return action !== 'undo' || (!isUndoOver(row) && errorsOfRights(caller, row).length === 0)
}

/** The operations that the status of an import allows somebody. */
export const listActions = (caller: Caller, row: ImportRow): string[] => {
  const family = FAMILIES[row.kind]
  const actions = ACTIONS[row.status].filter(action => isPossible(caller, row, action))
  return [`get${family}`, ...actions.map(action => `${action}${family}`), `list${family}Rows`]
}

/** Refuses an operation that the status of an import does not allow. */
export const checkStatus = ({ status }: Pick<ImportRow, 'status'>, allowed: readonly Status[]): void => {
  if (allowed.includes(status)) return
  throw new Refusal(invalidState, `The import is ${status}.`)
}

/** How far a phase is, in percent; a phase that has not ended is never at 100. */
export const computeProgress = ({ status, handled_count: handled, format }: ImportRow): number => {
  if (status === 'checked' || status === 'completed' || status === 'undone') return 100
  const rows = format?.rows ?? 0
  return rows === 0 ? 0 : Math.min(99, Math.floor((handled * 100) / rows))
}

/** The fields that lecturers import: what a lecturer may write of somebody who is new to them is what createEnrollmentBatch takes. */
export const fieldsOfLecturers: readonly string[] = [
  'email',
  'name',
  'first_name',
  'last_name',
  'external_id',
  'course',
  'enrolled_at',
  'access_ends_at',
  'percent_complete',
  'completed_at',
  'lesson',
  'lesson_completed_at',
  'status',
  'ignore',
]

/** The fields of a mapping that only staff may write. */
export const errorsOfFields = (caller: Caller, mapping: readonly ColumnMapping[]): FieldError[] =>
  isStaff(caller)
    ? []
    : mapping.flatMap(({ field }, at) =>
        fieldsOfLecturers.includes(field)
          ? []
          : [{ pointer: `/mapping/${at}/field`, code: 'role', message: 'is a field that only staff import' }],
      )

/** What the options change that only staff do to members. */
export const errorsOfOptions = (caller: Caller, options: Options): FieldError[] => {
  if (isStaff(caller)) return []
  const names = (['restore_deleted', 'tags', 'inactive'] as const).filter(
    name => JSON.stringify(options[name]) !== JSON.stringify(DEFAULT_OPTIONS[name]),
  )
  return names.map(name => ({ pointer: `/options/${name}`, code: 'role', message: 'is for staff alone' }))
}

/** The format of a file without values of its rows. */
export const withoutSamples = (format: StoredFormat): StoredFormat => ({
  ...format,
  encoding_samples: [],
  skipped: [],
  columns: format.columns.map(column => ({ ...column, samples: [] })),
})

/** What of an import only staff may do. */
export const errorsOfRights = (caller: Caller, { mapping, options }: ImportRow): FieldError[] => [
  ...errorsOfFields(caller, mapping),
  ...errorsOfOptions(caller, options),
]

/** The program that wrote the file of an import. */
export const readSource = ({ source }: Pick<ImportRow, 'source'>) => sources.find(one => one === source) ?? 'other'
