import { undoEnrollments, undoGroups, undoProgress } from '#src/areas/learning/index.ts'
import { type Undone, undoMembers } from '#src/areas/people/index.ts'
import type { WriteContext } from '#src/contract/operation.ts'
import { type ImportRow, storeImport } from '../import/queries.ts'
import { listUndoable, type RowUndo, type StoredRow, storeUndone } from '../rows/queries.ts'
import { PIECE } from './rules.ts'

// What became of the rows that have something to undo.
const undoEach = async <Undo>(
  rows: readonly StoredRow[],
  list: (undo: RowUndo) => readonly (Undo | undefined)[],
  undo: (undos: Undo[]) => Promise<Undone[]>,
): Promise<{ readonly number: number; readonly undone: Undone | undefined }[]> => {
  const all = rows.flatMap(({ number, undo: of }) =>
    (of === null ? [] : list(of)).flatMap(one => (one === undefined ? [] : [{ number, one }])),
  )
  if (all.length === 0) return []
  const undone = await undo(all.map(({ one }) => one))
  return all.map(({ number }, at) => ({ number, undone: undone[at] }))
}

/** Undoes the last rows of a locked import that are not undone yet; returns the import as it is then. */
export const undoPiece = async (context: WriteContext, row: ImportRow): Promise<ImportRow> => {
  const { db, school } = context
  const rows = await listUndoable(db, school.id, row.id, PIECE)
  // What was stored last is taken back first.
  const parts = [
    ...(await undoEach(
      rows,
      ({ progress }) => [progress],
      undos => undoProgress(context, undos),
    )),
    ...(await undoEach(
      rows,
      ({ enrollment }) => [enrollment],
      undos => undoEnrollments(context, undos),
    )),
    ...(await undoEach(
      rows,
      ({ groups = [] }) => groups,
      undos => undoGroups(context, undos),
    )),
    ...(await undoEach(
      rows,
      ({ member }) => [member],
      undos => undoMembers(context, undos),
    )),
  ]
  const reasons = new Map(
    parts.flatMap(({ number, undone }) => (undone?.status === 'kept' ? [[number, undone.reason] as const] : [])),
  )
  const results = rows.map(({ number }) => {
    const reason = reasons.get(number) ?? null
    return { number, status: reason === null ? ('undone' as const) : ('kept' as const), reason }
  })
  await storeUndone(db, school.id, row.id, results)
  return storeImport(db, school.id, row.id, {
    handled_count: row.handled_count + rows.length,
    ...(rows.length < PIECE ? { status: 'undone' } : {}),
  })
}
