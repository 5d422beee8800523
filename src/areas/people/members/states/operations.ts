import Type, { type Static } from 'typebox'
import { declareFor, type WriteContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { Closed, Line } from '#src/kit/shapes.ts'
import { texts } from '#src/texts/index.ts'
import { endingEffects, withEffects } from '../departure/rules.ts'
import { bringBack, endRunning, readRunning } from '../departure/writes.ts'
import { checkMayTouch, lockMemberByRef, lockUnerasedMember } from '../member/access.ts'
import { type MemberRow, storeStatus } from '../member/queries.ts'
import { invited, ownAccount } from '../member/rules.ts'
import { Member, MemberRef, memberExample } from '../member/schema.ts'
import { memberView } from '../member/views.ts'
import { endEverything, reinstate, suspend } from './writes.ts'

/** Why a member is suspended. */
const Suspension = Closed('Suspension', { reason: Type.Optional(Line(200, 'Why, for the staff alone')) })

const refuseSelf = (caller: { readonly id: string }, row: MemberRow): void => {
  if (caller.id === row.id) throw new Refusal(ownAccount, 'This is your own account.')
}

const inviteBack = async (context: WriteContext, { id }: MemberRow): Promise<Static<typeof Member>> => {
  const { row, fact } = await bringBack(context, id)
  context.changed({ ids: [toId('mem', id)], fields: ['status'], revision: row.revision, memberId: id })
  context.record(fact)
  context.record(invited(row))
  return memberView(row)
}

const suspendMember = declareFor('staff', 'members', {
  id: 'suspendMember',
  route: 'PUT /members/:member_id/suspension',
  summary: 'Suspend a member',
  description:
    'Prevents a member from signing in and pauses their access. Their sessions and connected apps end within a second.',
  ifMatch: 'honoured',
  params: MemberRef,
  body: Suspension,
  returns: Member,
  fails: [invalidState, ownAccount],
  example: { params: memberExample, body: { reason: 'Shared the password' } },
  async handle(context) {
    const { db, school, caller, params, body, requireMatch } = context
    const row = await lockMemberByRef(db, school, params.member_id)
    await requireMatch(row.revision, () => memberView(row))
    checkMayTouch(caller.member, row)
    refuseSelf(caller.member, row)
    if (row.status === 'suspended') return memberView(row)
    if (row.status !== 'active') throw new Refusal(invalidState, 'Only an active member can be suspended.')
    return memberView(await suspend(context, row, body.reason))
  },
})

const reinstateMember = declareFor('staff', 'members', {
  id: 'reinstateMember',
  route: 'DELETE /members/:member_id/suspension',
  summary: 'Reinstate a member',
  description:
    'Lets a suspended member sign in again and resumes their access. They have to connect their apps again. A deleted member is invited by mail, and has their history again once they accept.',
  ifMatch: 'honoured',
  params: MemberRef,
  returns: Member,
  fails: [invalidState],
  example: { params: memberExample },
  async handle(context) {
    const { db, school, caller, params, requireMatch } = context
    const row = await lockUnerasedMember(db, school, params.member_id)
    await requireMatch(row.revision, () => memberView(row))
    checkMayTouch(caller.member, row)
    if (row.status === 'active') return memberView(row)
    if (row.status === 'deleted') return inviteBack(context, row)
    if (row.status !== 'suspended') throw new Refusal(invalidState, 'This member is not suspended.')
    return memberView(await reinstate(context, row))
  },
})

const inviteMember = declareFor('staff', 'members', {
  id: 'inviteMember',
  route: 'PUT /members/:member_id/invitation',
  summary: 'Resend an invitation',
  description:
    'Sends a new invitation to a member who has not signed in yet, or who was deleted and comes back with their history. Earlier links and codes stop working; the new ones are valid for 7 days.',
  params: MemberRef,
  returns: Member,
  fails: [invalidState],
  example: { params: { member_id: 'external:invited-1' } },
  async handle(context) {
    const { db, school, params, changed, record } = context
    const row = await lockUnerasedMember(db, school, params.member_id)
    if (row.status === 'deleted') return inviteBack(context, row)
    if (row.status !== 'invited') throw new Refusal(invalidState, 'This member has already signed in.')
    changed({ ids: [toId('mem', row.id)], fields: [], memberId: row.id })
    record(invited(row))
    return memberView(row)
  },
})

const deleteMemberSessions = declareFor('staff', 'members', {
  id: 'deleteMemberSessions',
  route: 'DELETE /members/:member_id/sessions',
  summary: 'Sign a member out',
  description:
    'Ends every browser session of a member and disconnects all their apps. The member can sign in again at once.',
  params: MemberRef,
  returns: undefined,
  example: { params: memberExample },
  async handle({ db, school, caller, params, changed, record }) {
    const row = await lockMemberByRef(db, school, params.member_id)
    checkMayTouch(caller.member, row)
    await endEverything(db, school, row.id, 'staff_signed_out')
    changed({ ids: [toId('mem', row.id)], fields: [], memberId: row.id })
    record({ type: 'member.signed_out', payload: { member_id: toId('mem', row.id) } })
  },
})

const removed = texts.people.memberStates.operations.removed

const deleteMember = declareFor('staff', 'members', {
  id: 'deleteMember',
  route: 'DELETE /members/:member_id',
  summary: 'Delete a member',
  description:
    'Removes a member, who can no longer sign in. Their subscriptions, unpaid orders and registrations for coming dates end, and nothing is paid back. Everything else is kept until they come back, or are erased with `POST /members/{id}/erasure`.',
  proof: 'recent',
  confirm: 'person',
  ifMatch: 'honoured',
  params: MemberRef,
  returns: undefined,
  fails: [ownAccount],
  example: { params: memberExample },
  async handle(context) {
    const { db, school, caller, params, requireMatch, changed, record } = context
    const row = await lockMemberByRef(db, school, params.member_id)
    await requireMatch(row.revision, () => memberView(row))
    checkMayTouch(caller.member, row)
    refuseSelf(caller.member, row)
    const running = await readRunning(context, row.id)
    const ended = await endRunning(context, row.id, 'deletion')
    await storeStatus(db, school.id, row.id, { status: 'deleted' })
    await endEverything(db, school, row.id, 'member_deleted')
    changed({ ids: [toId('mem', row.id)], fields: ['status'], revision: row.revision + 1, memberId: row.id })
    record({
      type: 'member.deleted',
      payload: { member_id: toId('mem', row.id) },
      effects: withEffects(removed, endingEffects(running)),
    })
    for (const fact of ended) record(fact)
  },
})

/** The operations that change the status of a member. */
export const stateOperations = [suspendMember, reinstateMember, inviteMember, deleteMemberSessions, deleteMember]
