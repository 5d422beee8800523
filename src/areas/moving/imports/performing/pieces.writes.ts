import { listFields } from '#src/areas/people/index.ts'
import { isStaff } from '#src/contract/caller.ts'
import type { WriteContext } from '#src/contract/operation.ts'
import { rollbackToSavepoint, savepoint } from '#src/db/confirmations.ts'
import { type ImportRow, storeImport } from '../import/queries.ts'
import { inviteSoon } from '../invitations/queries.ts'
import { createRowReader, type MappedRow } from '../mapping/index.ts'
import { listNext, type RowResult, type StoredRow, storeResults, toTableRow } from '../rows/queries.ts'
import { checkLearning, importLearning } from './learning.writes.ts'
import { handleInactive, importPeople, type Writing } from './people.writes.ts'
import { addCounts, buildDuplicate, compareWithCheck, failRow, PIECE } from './rules.ts'

const findEarlyResult = (row: StoredRow, mapped: MappedRow): RowResult | undefined => {
  if (row.duplicate_of !== null) return failRow(row.number, [buildDuplicate(row.duplicate_of)])
  return mapped.errors.length > 0 ? failRow(row.number, mapped.errors) : undefined
}

const isInactive = ({ person }: MappedRow): boolean => person.is_inactive === true

const importRows = async (context: Writing, row: ImportRow, rows: readonly MappedRow[]): Promise<RowResult[]> => {
  const importActive = row.kind === 'people' ? importPeople : importLearning
  const active = rows.filter(mapped => !isInactive(mapped))
  const inactive = await handleInactive(context, row, rows.filter(isInactive))
  return [...inactive, ...(active.length === 0 ? [] : await importActive(context, row, active))]
}

const readPiece = async ({ db, school }: Writing, row: ImportRow, stored: readonly StoredRow[]) => {
  const customFields = await listFields(db, school.id)
  const { kind, mapping, options } = row
  const readRow = createRowReader({ kind, mapping, customFields, zone: school.timeZone, tags: options.tags })
  return stored.map(one => {
    const mapped = readRow(toTableRow(one))
    return { mapped, failed: findEarlyResult(one, mapped) }
  })
}

const handleRows = async (context: Writing, row: ImportRow, stored: readonly StoredRow[]): Promise<RowResult[]> => {
  const read = await readPiece(context, row, stored)
  const imported = await importRows(
    context,
    row,
    read.flatMap(({ mapped, failed }) => (failed === undefined ? [mapped] : [])),
  )
  const byNumber = new Map(imported.map(result => [result.number, result]))
  return read.flatMap(({ mapped, failed }) => failed ?? byNumber.get(mapped.number) ?? [])
}

const withoutUndo = (result: RowResult): RowResult => ({ ...result, undo: null })

// Ids of members and enrollments that the check takes back lead nowhere.
const withoutNew = (result: RowResult): RowResult =>
  result.status === 'created' ? { ...result, member_id: null, enrollment_id: null } : result

// Whether somebody has an account is not what a check tells a lecturer: every row that can be read, and names a course of
// theirs, is as good as new.
const readAlone = async (context: Writing, row: ImportRow, stored: readonly StoredRow[]): Promise<RowResult[]> => {
  const read = await readPiece(context, row, stored)
  const readable = read.flatMap(({ mapped, failed }) => (failed === undefined ? [mapped] : []))
  const results = await checkLearning(context, row, readable)
  const byNumber = new Map(results.map(result => [result.number, result]))
  return read.flatMap(({ mapped, failed }) => failed ?? byNumber.get(mapped.number) ?? [])
}

// Does everything and takes it back, so that the result is that of the run.
const tryRows = async (context: Writing, row: ImportRow, stored: readonly StoredRow[]): Promise<RowResult[]> => {
  if (!isStaff(context.caller)) return readAlone(context, row, stored)
  await savepoint(context.db)
  const results = await handleRows({ ...context, changed: () => undefined, record: () => undefined }, row, stored)
  await rollbackToSavepoint(context.db)
  return results.map(withoutUndo).map(withoutNew)
}

const runRows = async (context: Writing, row: ImportRow, stored: readonly StoredRow[]): Promise<RowResult[]> => {
  const checked = new Map(stored.map(({ number, status }) => [number, status]))
  const results = await handleRows(context, row, stored)
  if (!isStaff(context.caller)) return results
  return results.map(result => compareWithCheck(result, checked.get(result.number) ?? null))
}

const countNewGroups = (results: readonly RowResult[]): number =>
  new Set(results.flatMap(({ undo }) => undo?.groups ?? []).flatMap(group => (group.isNewGroup ? [group.groupId] : [])))
    .size

const endPhase = ({ caller, now }: Pick<WriteContext, 'caller' | 'now'>, row: ImportRow) =>
  row.status === 'checking'
    ? ({ status: 'checked', checked_at: now, is_fully_checked: isStaff(caller) } as const)
    : ({ status: 'completed', ended_at: now } as const)

/** Checks or imports the next rows of a locked import, and stores what became of them; returns the import as it is then. */
export const handlePiece = async (context: WriteContext, row: ImportRow): Promise<ImportRow> => {
  const { db, school } = context
  const stored = await listNext(db, school.id, row.id, row.position ?? 0, PIECE)
  const results = await (row.status === 'checking' ? tryRows : runRows)(context, row, stored)
  await storeResults(db, school.id, row.id, results)
  const isEnd = stored.length < PIECE
  const isRun = row.status === 'running'
  if (isRun && row.options.send_invitations) await inviteSoon(db, school.id, isEnd)
  return storeImport(db, school.id, row.id, {
    counts: addCounts(row.counts, results),
    position: stored.at(-1)?.number ?? row.position,
    handled_count: row.handled_count + stored.length,
    ...(isRun ? { group_count: row.group_count + countNewGroups(results) } : {}),
    ...(isEnd ? endPhase(context, row) : {}),
  })
}
