import { listFields } from '#src/areas/people/custom-fields/index.ts'
import { decodeRows, type FailedRow, failed, hasStatus, isFailed } from '#src/contract/batch.ts'
import type { SchoolContext, WriteContext } from '#src/contract/context.ts'
import type { FieldError } from '#src/contract/problem.ts'
import { keepConsents, restoreMembers } from '#src/identity/index.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { foldEmail } from '#src/kit/text.ts'
import { backFact } from '../departure/rules.ts'
import type { LockedMember, MemberValues } from '../member/queries.ts'
import { invited } from '../member/rules.ts'
import { insertNotes, listSameNotes, type NewNote } from '../notes/queries.ts'
import { createdUndo, type MemberUndo } from '../undo/rules.ts'
import { type BatchMember, insertMany, insertManyTags, lockMatchingMembers, storeMany } from './queries.ts'
import { indexMembers, type Plan, planBatch } from './rules.ts'
import { MemberImportRow, type Row } from './schema.ts'

/** What an import of members does with those who exist, with those who were deleted, and with mail. */
type MemberImportOptions = {
  /** Whether members who exist are changed, or left as they are. */
  readonly existing: 'update' | 'skip'
  /** Whether members who were deleted come back. */
  readonly restores: boolean
  /** Whether each member who is new or comes back is invited by mail. */
  readonly invites: boolean
}

/** The result of a row: the id of its member, and what `undoMembers` needs where something was written. */
export type MemberOutcome = {
  readonly status: 'created' | 'updated' | 'unchanged' | 'skipped' | 'failed'
  readonly id?: string
  readonly errors?: readonly FieldError[]
  readonly notices?: readonly FieldError[]
  readonly undo?: MemberUndo
}

type Planned = Plan & { readonly id?: string; readonly noteId?: string }

// Who took an address or external id a moment before the batch stored it: the same batch again finds them.
const raced = (): Plan => failed('', 'conflict', 'was added by another request at the same time; send the row again')

const membersWith = (status: 'created' | 'updated', plans: readonly Planned[]): BatchMember[] =>
  plans.filter(hasStatus(status)).flatMap(plan => (plan.id === undefined ? [] : [{ ...plan, id: plan.id }]))

const buildUndo = (plan: Extract<Planned, { readonly values: MemberValues }>, id: string): MemberUndo => ({
  ...(plan.status === 'created'
    ? createdUndo({ ...plan, id })
    : { id, isCreated: false, isBack: plan.isBack, ...plan.fields, tags: plan.tags }),
  ...(plan.noteId === undefined ? {} : { noteId: plan.noteId }),
})

const buildOutcome = (plan: Planned): MemberOutcome => {
  if (plan.status === 'failed') return plan
  const { id } = plan
  const notices = 'notices' in plan && plan.notices !== undefined ? { notices: plan.notices } : {}
  const undo = 'values' in plan && id !== undefined ? { undo: buildUndo(plan, id) } : {}
  return { status: plan.status, ...(id === undefined ? {} : { id }), ...notices, ...undo }
}

const listNewNotes = (plans: readonly Planned[], authorId: string): NewNote[] =>
  plans.flatMap(plan =>
    'note' in plan && plan.note !== undefined && plan.id !== undefined && plan.noteId !== undefined
      ? [{ id: plan.noteId, memberId: plan.id, authorId, body: plan.note }]
      : [],
  )

// Sent twice, a row adds its note once.
const readNotes = async (
  { db, school }: SchoolContext,
  rows: readonly Row[],
  members: readonly LockedMember[],
): Promise<(memberId: string, body: string) => boolean> => {
  const bodies = rows.flatMap(({ note }) => note ?? [])
  const memberIds = members.map(({ id }) => id)
  const notes = bodies.length === 0 ? [] : await listSameNotes(db, school.id, memberIds, bodies)
  return (memberId, body) => notes.some(note => note.member_id === memberId && note.body === body)
}

/** The rows of an import as JSON, read by the schema of a row; one that does not fit fails. */
export const decodeMemberRows = (rows: readonly unknown[]): (Row | FailedRow)[] => decodeRows(MemberImportRow, rows)

/** Stores rows as members, each matched and checked by itself; records what changed as one entry. Returns their results in order. */
export const importMembers = async (
  {
    db,
    school,
    caller,
    now,
    changed,
    record,
  }: Pick<WriteContext, 'db' | 'school' | 'caller' | 'now' | 'changed' | 'record'>,
  decoded: readonly (Row | FailedRow)[],
  { existing, restores, invites }: MemberImportOptions,
): Promise<MemberOutcome[]> => {
  const rows = decoded.flatMap(row => (isFailed(row) ? [] : [row]))
  const members = await lockMatchingMembers(
    db,
    school.id,
    rows.flatMap(({ external_id: id }) => (id ? [id] : [])),
    rows.map(({ email }) => foldEmail(email)),
  )
  const fields = await listFields(db, school.id)
  const planned = planBatch(decoded, {
    members: indexMembers(members),
    caller: caller.member,
    fields,
    restores,
    skips: existing === 'skip',
    hasNote: await readNotes({ db, school }, rows, members),
    now,
  })
  const withIds: Planned[] = planned.map(plan => ({
    ...plan,
    ...(plan.status === 'created' ? { id: newUuid(now.getTime()) } : {}),
    ...('note' in plan && plan.note !== undefined ? { noteId: newUuid(now.getTime()) } : {}),
  }))
  const createdIds = await insertMany(db, school.id, membersWith('created', withIds))
  const plans = withIds.map(plan => (plan.status === 'created' && !createdIds.has(plan.id ?? '') ? raced() : plan))
  const [created, updated] = [membersWith('created', plans), membersWith('updated', plans)]
  const back = plans.filter(hasStatus('updated')).flatMap(plan => (plan.isBack ? [{ id: plan.id }] : []))
  await restoreMembers(
    db,
    school.id,
    back.map(({ id }) => id),
    'invited',
  )
  await storeMany(db, school.id, updated)
  await keepConsents(
    db,
    school.id,
    [...created, ...updated].map(({ id }) => id),
  )
  await insertManyTags(db, school.id, [...created, ...updated])
  await insertNotes(db, school.id, listNewNotes(plans, caller.member.id))
  const ids = [...created, ...updated].map(({ id }) => toId('mem', id))
  if (ids.length > 0) {
    changed({ ids, fields: ['rows'] })
    record({ type: 'member.imported', payload: { created: created.length, updated: updated.length } })
    for (const { id } of back) record(backFact(id))
    if (invites) for (const member of [...created, ...back]) record(invited(member))
  }
  return plans.map(buildOutcome)
}
