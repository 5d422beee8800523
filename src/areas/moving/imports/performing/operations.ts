import type { Static } from 'typebox'
import { readScope } from '#src/areas/learning/index.ts'
import { isStaff } from '#src/contract/caller.ts'
import { guardPassed } from '#src/contract/guard.ts'
import { operation, type WriteContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState, notFound, roleRequired } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { Closed, OneOf } from '#src/kit/shapes.ts'
import { checkRights } from '../access.ts'
import { type ImportRow, lockImport } from '../import/queries.ts'
import { aboutImport, checkStatus } from '../import/rules.ts'
import { ImportRef, statuses } from '../import/schema.ts'
import { handlePiece } from './pieces.writes.ts'
import { undoPiece } from './undo.writes.ts'

/** What became of an import by one piece. */
export const ImportPiece = Closed('ImportPiece', { status: OneOf(statuses, 'The status of the import') })

// The starter may have lost the role since, or teach no course any more.
const lockOwnImport = async (context: WriteContext, id: string): Promise<ImportRow> => {
  const { db, school, caller } = context
  const row = await lockImport(db, school.id, id)
  if (row === undefined || row.started_by !== caller.member.id)
    throw new Refusal(notFound, 'You have started no such import.')
  if (row.kind === 'learning') await readScope(context)
  else if (!isStaff(caller)) throw new Refusal(roleRequired, 'Only staff import members.')
  checkRights(context, row)
  guardPassed(db)
  return row
}

type End = 'import.checked' | 'import.completed' | 'import.undone'

const ends: Readonly<Partial<Record<ImportRow['status'], End>>> = {
  checked: 'import.checked',
  completed: 'import.completed',
  undone: 'import.undone',
}

// The entries of what a piece wrote are those of the functions that wrote it.
const finish = ({ changed, record }: WriteContext, row: ImportRow): Static<typeof ImportPiece> => {
  const { status } = row
  const type = ends[status]
  if (type !== undefined) {
    changed({ ids: [toId('imp', row.id)], fields: ['status'], revision: row.revision })
    record({ type, payload: aboutImport(row) })
  }
  return { status }
}

const performImportPiece = operation({
  id: 'performImportPiece',
  summary: 'Import the next rows',
  description:
    'Checks or imports the next 200 rows of an import that is being checked or run, with their results, for the worker as the member who started it.',
  who: 'self',
  mode: 'write',
  params: ImportRef,
  returns: ImportPiece,
  fails: [invalidState],
  async handle(context) {
    const row = await lockOwnImport(context, context.params.import_id)
    checkStatus(row, ['checking', 'running'])
    return finish(context, await handlePiece(context, row))
  },
})

const undoImportPiece = operation({
  id: 'undoImportPiece',
  summary: 'Undo the last rows',
  description:
    'Undoes the last 200 rows that are not undone yet of an import that is being undone, for the worker as the member who asked for it.',
  who: 'self',
  mode: 'write',
  params: ImportRef,
  returns: ImportPiece,
  fails: [invalidState],
  async handle(context) {
    const row = await lockOwnImport(context, context.params.import_id)
    checkStatus(row, ['undoing'])
    return finish(context, await undoPiece(context, row))
  },
})

/** The operations by which the worker handles imports. */
export const pieceOperations = [performImportPiece, undoImportPiece]
