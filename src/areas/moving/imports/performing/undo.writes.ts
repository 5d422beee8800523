import { undoEnrollments, undoProgress } from '#src/areas/learning/index.ts'
import { type Undone, undoMembers } from '#src/areas/people/index.ts'
import type { WriteContext } from '#src/contract/operation.ts'
import { type ImportRow, storeImport } from '../import/queries.ts'
import { listUndoable, type RowUndo, type StoredRow, storeUndone } from '../rows/queries.ts'
import { PIECE } from './rules.ts'

type Part = keyof RowUndo

// Which rows have a part, and what became of it.
const undoPart = async <Name extends Part>(
  rows: readonly StoredRow[],
  part: Name,
  undo: (undos: NonNullable<RowUndo[Name]>[]) => Promise<Undone[]>,
): Promise<ReadonlyMap<number, Undone>> => {
  const having = rows.flatMap(({ number, undo: of }) => {
    const one = of?.[part]
    return one === undefined ? [] : [{ number, one }]
  })
  if (having.length === 0) return new Map()
  const undone = await undo(having.map(({ one }) => one))
  return new Map(having.flatMap(({ number }, at) => (undone[at] === undefined ? [] : [[number, undone[at]] as const])))
}

/** Undoes the last rows of a locked import that are not undone yet; returns the import as it is then. */
export const undoPiece = async (context: WriteContext, row: ImportRow): Promise<ImportRow> => {
  const { db, school } = context
  const rows = await listUndoable(db, school.id, row.id, PIECE)
  // What was stored last is taken back first.
  const parts = [
    await undoPart(rows, 'progress', undos => undoProgress(context, undos)),
    await undoPart(rows, 'enrollment', undos => undoEnrollments(context, undos)),
    await undoPart(rows, 'member', undos => undoMembers(context, undos)),
  ]
  const results = rows.map(({ number }) => {
    const reasons = parts.flatMap(part => {
      const undone = part.get(number)
      return undone?.status === 'kept' ? [undone.reason] : []
    })
    return { number, status: reasons.length > 0 ? ('kept' as const) : ('undone' as const), reason: reasons[0] ?? null }
  })
  await storeUndone(db, school.id, row.id, results)
  return storeImport(db, school.id, row.id, {
    handled_count: row.handled_count + rows.length,
    ...(rows.length < PIECE ? { status: 'undone' } : {}),
  })
}
