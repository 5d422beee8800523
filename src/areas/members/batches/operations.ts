import type { Static } from 'typebox'
import { listFields } from '#src/areas/custom-fields/index.ts'
import { operation } from '#src/contract/operation.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { foldEmail } from '#src/kit/text.ts'
import type { MemberRow } from '../member/queries.ts'
import { invited } from '../member/rules.ts'
import { type BatchMember, insertMany, insertManyTags, lockMeant, storeMany } from './queries.ts'
import { type MemberIndex, type Plan, planBatch, shapedRows } from './rules.ts'
import { type BatchResult, MemberBatch, MemberBatchAnswer } from './schema.ts'

const knownOf = (members: readonly MemberRow[]): MemberIndex => ({
  byExternal: new Map(members.flatMap(row => (row.external_id === null ? [] : [[row.external_id, row] as const]))),
  byEmail: new Map(members.map(row => [row.email_folded, row] as const)),
})

type Planned = Plan & { readonly id?: string }

// Who took an address or external id a moment before the batch stored it: the same batch again finds them.
const raced = (): Plan => ({
  kind: 'failed',
  errors: [{ pointer: '', code: 'conflict', message: 'was added by somebody else meanwhile; send the row again' }],
})

const resultOf = (plan: Planned, index: number): Static<typeof BatchResult> =>
  plan.kind === 'failed'
    ? { index, status: 'failed', id: null, errors: [...plan.errors] }
    : { index, status: plan.kind, id: plan.id === undefined ? null : toId('mem', plan.id) }

const answerOf = (plans: readonly Planned[]): Static<typeof MemberBatchAnswer> => {
  const count = (kind: Plan['kind']): number => plans.filter(plan => plan.kind === kind).length
  return {
    created: count('created'),
    updated: count('updated'),
    unchanged: count('unchanged'),
    failed: count('failed'),
    results: plans.map(resultOf),
  }
}

const membersIn = (plans: readonly Planned[], kind: 'created' | 'updated'): BatchMember[] =>
  plans.flatMap(plan => (plan.kind === kind && plan.id !== undefined ? [{ ...plan, id: plan.id }] : []))

/** Adding and changing many members at once. */
export const createMemberBatch = operation({
  id: 'createMemberBatch',
  route: 'POST /members/batches',
  summary: 'Import members',
  description:
    'Creates or updates up to 1,000 members. Each row is matched by `external_id`, then by e-mail address; a row without a match creates a member. Fields that a row leaves out stay as they are, tags are added and never removed, and the same batch can be sent again without further effect.',
  scope: 'members:write',
  who: 'staff',
  mode: 'write',
  body: MemberBatch,
  returns: MemberBatchAnswer,
  example: { body: { rows: [{ email: 'eli@crumb.example', external_id: 'crm-5', tags: ['imported'] }] } },
  async handle({ db, school, caller, body, now, changed, record }) {
    const shaped = shapedRows(body.rows)
    const rows = shaped.filter(row => row !== undefined)
    const members = await lockMeant(
      db,
      school.id,
      rows.flatMap(({ external_id: id }) => (id ? [id] : [])),
      rows.map(({ email }) => foldEmail(email)),
    )
    const fields = await listFields(db, school.id)
    const planned = planBatch(body.rows, shaped, { known: knownOf(members), caller: caller.member, fields })
    const wanted: Planned[] = planned.map(plan =>
      plan.kind === 'created' ? { ...plan, id: newUuid(now.getTime()) } : plan,
    )
    const made = await insertMany(db, school.id, membersIn(wanted, 'created'))
    const plans = wanted.map(plan => (plan.kind === 'created' && !made.has(plan.id ?? '') ? raced() : plan))
    const [created, updated] = [membersIn(plans, 'created'), membersIn(plans, 'updated')]
    await storeMany(db, school.id, updated)
    await insertManyTags(db, school.id, [...created, ...updated])
    const ids = [...created, ...updated].map(({ id }) => toId('mem', id))
    if (ids.length > 0) {
      changed({ ids, fields: ['rows'] })
      record({ type: 'member.imported', payload: { created: created.length, updated: updated.length } })
      if (body.send_invitations === true) for (const member of created) record(invited(member))
    }
    return answerOf(plans)
  },
})
