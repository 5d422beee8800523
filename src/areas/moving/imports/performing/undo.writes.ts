import { undoEnrollments, undoGroups, undoProgress } from '#src/areas/learning/index.ts'
import { type Undone, undoMembers } from '#src/areas/people/index.ts'
import type { WriteContext } from '#src/contract/operation.ts'
import { type ImportRow, storeImport } from '../import/queries.ts'
import { blankMemberRows, listUndoable, type RowUndo, type StoredRow, storeUndone } from '../rows/queries.ts'
import { PIECE } from './rules.ts'

type Part<Undo> = { readonly number: number; readonly one: Undo }
type UndonePart<Undo> = Part<Undo> & { readonly undone: Undone | undefined }

// What several rows did to the same is taken back row by row.
const splitRounds = <Undo>(all: readonly Part<Undo>[], name: (one: Undo) => string): Part<Undo>[][] => {
  const rounds: Part<Undo>[][] = []
  const seen = new Map<string, number>()
  for (const part of all) {
    const round = seen.get(name(part.one)) ?? 0
    seen.set(name(part.one), round + 1)
    rounds[round] = [...(rounds[round] ?? []), part]
  }
  return rounds
}

type Undoing<Undo> = {
  list(undo: RowUndo): readonly (Undo | undefined)[]
  /** Undoes parts; with `name`, at most one of a name at once. */
  undo(undos: Undo[]): Promise<Undone[]>
  name?(undo: Undo): string
}

// What became of the rows that have something to undo.
const undoEach = async <Undo>(
  rows: readonly StoredRow[],
  { list, undo, name }: Undoing<Undo>,
): Promise<UndonePart<Undo>[]> => {
  const all = rows.flatMap(({ number, undo: of }) =>
    (of === null ? [] : list(of)).flatMap(one => (one === undefined ? [] : [{ number, one }])),
  )
  const results: UndonePart<Undo>[] = []
  for (const round of name === undefined ? [all] : splitRounds(all, name)) {
    if (round.length === 0) continue
    const undone = await undo(round.map(({ one }) => one))
    results.push(...round.map((part, at) => ({ ...part, undone: undone[at] })))
  }
  return results
}

/** Undoes the last rows of a locked import that are not undone yet; returns the import as it is then. */
export const undoPiece = async (context: WriteContext, row: ImportRow): Promise<ImportRow> => {
  const { db, school } = context
  const rows = await listUndoable(db, school.id, row.id, PIECE)
  // What was stored last is taken back first.
  const progress = await undoEach(rows, {
    list: undo => [undo.progress],
    undo: undos => undoProgress(context, undos),
  })
  const enrollments = await undoEach(rows, {
    list: undo => [undo.enrollment],
    undo: undos => undoEnrollments(context, undos),
    name: ({ entitlementId }) => entitlementId,
  })
  const groups = await undoEach(rows, {
    list: undo => undo.groups ?? [],
    undo: undos => undoGroups(context, undos),
  })
  const members = await undoEach(rows, {
    list: undo => [undo.member],
    undo: undos => undoMembers(context, undos),
    name: ({ id }) => id,
  })
  const reasons = new Map(
    [...progress, ...enrollments, ...groups, ...members].flatMap(({ number, undone }) =>
      undone?.status === 'kept' ? [[number, undone.reason] as const] : [],
    ),
  )
  const results = rows.map(({ number }) => {
    const reason = reasons.get(number) ?? null
    return { number, status: reason === null ? ('undone' as const) : ('kept' as const), reason }
  })
  await storeUndone(db, school.id, row.id, results)
  await blankMemberRows(
    db,
    school.id,
    members.flatMap(({ one, undone }) => (one.isCreated && undone?.status === 'undone' ? [one.id] : [])),
  )
  return storeImport(db, school.id, row.id, {
    handled_count: row.handled_count + rows.length,
    ...(rows.length < PIECE ? { status: 'undone' } : {}),
  })
}
