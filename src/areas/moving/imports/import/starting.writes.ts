import { releaseFiles } from '#src/areas/files/index.ts'
import type { Effects } from '#src/contract/fact.ts'
import { fillEach } from '#src/contract/language.ts'
import type { WriteContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { putJob } from '#src/db/jobs.ts'
import { texts } from '#src/texts/index.ts'
import { checkRights, lockVisibleImport } from '../access.ts'
import { IMPORT_JOB, type ImportRow, storeImport } from './queries.ts'
import {
  aboutImport,
  checkStatus,
  isCheckedFor,
  isUndoOver,
  NO_COUNTS,
  notChecked,
  undoOver,
  withoutSamples,
} from './rules.ts'
import type { Kind } from './schema.ts'
import { importView } from './views.ts'
import type { Written } from './writes.ts'

const phrases = texts.moving.imports.effects

const joinMails = ({ options, counts, kind }: ImportRow): Effects => {
  if (options.send_invitations) return { mail: fillEach(phrases.invitations, { n: counts.created }) }
  return options.notify && kind === 'learning' ? { mail: phrases.notifications } : {}
}

// What the check found; of an import that goes on, nobody knows how much of that is left.
const listEffects = (row: ImportRow): Effects => {
  const { created, updated } = row.counts
  const access = row.status === 'stopped' ? phrases.rest : fillEach(phrases.access, { created, updated })
  return { access, ...joinMails(row) }
}

/** Begins to run a checked import, or goes on with one that was stopped, as the caller. */
export const startRun = async (context: WriteContext, kind: Kind, id: string): Promise<Written> => {
  const { db, school, caller, now, requireMatch, waiveConfirmation } = context
  const row = await lockVisibleImport(context, kind, id)
  await requireMatch(row.revision, () => importView(context, row))
  if (row.status === 'running') {
    waiveConfirmation()
    return { row }
  }
  if (row.status === 'ready' || row.status === 'checking') throw new Refusal(notChecked, 'Check the import first.')
  checkStatus(row, ['checked', 'stopped'])
  checkRights(context, row)
  if (!isCheckedFor(caller, row))
    throw new Refusal(
      notChecked,
      'Check the import first: a lecturer checked it, which says nothing of who is a member.',
    )
  // From here on its rows are enough, and whoever is erased is not in the file any more.
  if (row.file_id !== null) await releaseFiles(db, school.id, [row.file_id])
  const isNew = row.status === 'checked'
  const fromStart = isNew ? { counts: NO_COUNTS, position: 0, handled_count: 0, started_at: now } : {}
  const started = {
    status: 'running',
    file_id: null,
    format: row.format && withoutSamples(row.format),
    ambiguous: [],
    problem: null,
    ended_at: null,
    started_by: caller.member.id,
  } as const
  const stored = await storeImport(db, school.id, id, { ...started, ...fromStart })
  await putJob(db, school.id, { kind: IMPORT_JOB, id, dueAt: now })
  const fact = {
    type: 'import.started',
    payload: aboutImport(row),
    effects: listEffects(row),
  } as const
  return { row: stored, fields: ['status'], fact }
}

/** Begins to undo an import that has ended or was stopped. */
export const startUndo = async (context: WriteContext, kind: Kind, id: string): Promise<Written> => {
  const { db, school, caller, now, waiveConfirmation } = context
  const row = await lockVisibleImport(context, kind, id)
  if (row.status === 'undoing') {
    waiveConfirmation()
    return { row }
  }
  checkStatus(row, ['completed', 'stopped'])
  checkRights(context, row)
  if (isUndoOver(row)) throw new Refusal(undoOver, 'The import ended more than 30 days ago.')
  const started = { status: 'undoing', problem: null, position: null, handled_count: 0 } as const
  const stored = await storeImport(db, school.id, id, { ...started, started_by: caller.member.id })
  await putJob(db, school.id, { kind: IMPORT_JOB, id, dueAt: now })
  const n = row.counts.created + row.counts.updated
  const effects = { access: fillEach(phrases.undo, { n }) }
  const fact = { type: 'import.undoing', payload: aboutImport(row), effects } as const
  return { row: stored, fields: ['status'], fact }
}
