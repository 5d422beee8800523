import type { Static } from 'typebox'
import { listFields } from '#src/areas/people/custom-fields/index.ts'
import {
  batchResponse,
  decodeRows,
  failed,
  hasStatus,
  importStatuses,
  isFailed,
  rowPointer,
  rowResult,
} from '#src/contract/batch.ts'
import { declareFor } from '#src/contract/operation.ts'
import { keepConsents, restoreMembers } from '#src/identity/index.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { foldEmail } from '#src/kit/text.ts'
import { backFact } from '../departure/rules.ts'
import type { LockedMember } from '../member/queries.ts'
import { invited } from '../member/rules.ts'
import { type BatchMember, insertMany, insertManyTags, lockMatchingMembers, storeMany } from './queries.ts'
import { type MemberIndex, type Plan, planBatch } from './rules.ts'
import { MemberBatch, MemberBatchResponse, MemberBatchRow } from './schema.ts'

const indexMembers = (members: readonly LockedMember[]): MemberIndex => ({
  byExternal: new Map(members.flatMap(row => (row.external_id === null ? [] : [[row.external_id, row] as const]))),
  byEmail: new Map(members.map(row => [row.email_folded, row] as const)),
})

type Planned = Plan & { readonly id?: string }

// Who took an address or external id a moment before the batch stored it: the same batch again finds them.
const raced = (): Plan => failed('', 'conflict', 'was added by another request at the same time; send the row again')

const responseTo = (plans: readonly Planned[]): Static<typeof MemberBatchResponse> =>
  batchResponse(
    importStatuses,
    plans.map((plan, index) => {
      const notices = 'notices' in plan && plan.notices !== undefined ? { notices: plan.notices } : {}
      return rowResult(rowPointer('rows', index), plan, { id: plan.id ?? null, ...notices })
    }),
  )

const membersWith = (status: 'created' | 'updated', plans: readonly Planned[]): BatchMember[] =>
  plans.filter(hasStatus(status)).flatMap(plan => (plan.id === undefined ? [] : [{ ...plan, id: plan.id }]))

/** Adding and changing many members at once. */
export const createMemberBatch = declareFor('staff', 'members', {
  id: 'createMemberBatch',
  route: 'POST /members/batches',
  summary: 'Import members',
  description:
    'Creates or updates up to 1,000 members. Each row is matched by `external_id`, then by e-mail address; a row without a match creates a member. Fields that a row leaves out stay as they are, tags are added and never removed, and the same batch can be sent again without further effect.',
  body: MemberBatch,
  returns: MemberBatchResponse,
  example: { body: { rows: [{ email: 'eli@crumb.example', external_id: 'crm-5', tags: ['imported'] }] } },
  async handle({ db, school, caller, body, now, changed, record }) {
    const decoded = decodeRows(MemberBatchRow, body.rows)
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
      restores: body.restore_deleted === true,
    })
    const withIds: Planned[] = planned.map(plan =>
      plan.status === 'created' ? { ...plan, id: newUuid(now.getTime()) } : plan,
    )
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
    const ids = [...created, ...updated].map(({ id }) => toId('mem', id))
    if (ids.length > 0) {
      changed({ ids, fields: ['rows'] })
      record({ type: 'member.imported', payload: { created: created.length, updated: updated.length } })
      for (const { id } of back) record(backFact(id))
      if (body.send_invitations === true) for (const member of [...created, ...back]) record(invited(member))
    }
    return responseTo(plans)
  },
})
