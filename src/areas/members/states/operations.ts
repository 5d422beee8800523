import type { Db } from '#src/contract/db.ts'
import { operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { endCodes, endGrantsOf, endSessions } from '#src/identity/index.ts'
import { toId } from '#src/kit/ids.ts'
import { checkMayTouch, lockMemberByRef } from '../member/access.ts'
import { type MemberRow, storeStatus } from '../member/queries.ts'
import { invited, ownAccount } from '../member/rules.ts'
import { Member, MemberRef, memberExample, Suspension } from '../member/schema.ts'
import { memberView } from '../member/views.ts'

const refuseSelf = (caller: { readonly id: string }, row: MemberRow): void => {
  if (caller.id === row.id) throw new Refusal(ownAccount, 'This is your own account.')
}

/** Signs a member out everywhere and disconnects every app, for a reason that is kept. */
const endEverything = async (db: Db, school: School, memberId: string, reason: string): Promise<void> => {
  await endSessions(db, school.id, memberId)
  await endGrantsOf(db, school.id, memberId, reason)
  await endCodes(db, school.id, memberId)
}

const suspendMember = operation({
  id: 'suspendMember',
  route: 'PUT /members/:member_id/suspension',
  summary: 'Suspend a member',
  description:
    'Prevents a member from signing in and pauses their access. Their sessions and connected apps end within a second.',
  scope: 'members:write',
  who: 'staff',
  mode: 'write',
  ifMatch: 'honoured',
  params: MemberRef,
  body: Suspension,
  returns: Member,
  fails: [invalidState, ownAccount],
  example: { params: memberExample, body: { reason: 'Shared the password' } },
  async handle({ db, school, caller, params, body, requireMatch, changed, record }) {
    const row = await lockMemberByRef(db, school, params.member_id)
    await requireMatch(row.revision, () => memberView(row))
    checkMayTouch(caller.member, row)
    refuseSelf(caller.member, row)
    if (row.status === 'suspended') return memberView(row)
    if (row.status !== 'active') throw new Refusal(invalidState, 'Only an active member can be suspended.')
    const stored = await storeStatus(db, school.id, row.id, { status: 'suspended', reason: body.reason })
    await endEverything(db, school, row.id, 'member_suspended')
    changed({ ids: [toId('mem', row.id)], fields: ['status'], revision: stored.revision, memberId: row.id })
    record({
      type: 'member.suspended',
      payload: { member: toId('mem', row.id) },
      effects: {
        access: {
          en: 'Signs the person out everywhere, disconnects their apps and prevents sign-in',
          pt: 'Termina todas as sessões da pessoa, desliga as suas aplicações e impede a entrada',
        },
      },
    })
    return memberView(stored)
  },
})

const reinstateMember = operation({
  id: 'reinstateMember',
  route: 'DELETE /members/:member_id/suspension',
  summary: 'Reinstate a suspended member',
  description: 'Lets a suspended member sign in again and resumes their access. They have to connect their apps again.',
  scope: 'members:write',
  who: 'staff',
  mode: 'write',
  ifMatch: 'honoured',
  params: MemberRef,
  returns: Member,
  fails: [invalidState],
  example: { params: memberExample },
  async handle({ db, school, caller, params, requireMatch, changed, record }) {
    const row = await lockMemberByRef(db, school, params.member_id)
    await requireMatch(row.revision, () => memberView(row))
    checkMayTouch(caller.member, row)
    if (row.status === 'active') return memberView(row)
    if (row.status !== 'suspended') throw new Refusal(invalidState, 'This member is not suspended.')
    const stored = await storeStatus(db, school.id, row.id, { status: 'active' })
    changed({ ids: [toId('mem', row.id)], fields: ['status'], revision: stored.revision, memberId: row.id })
    record({ type: 'member.reinstated', payload: { member: toId('mem', row.id) } })
    return memberView(stored)
  },
})

const inviteMember = operation({
  id: 'inviteMember',
  route: 'PUT /members/:member_id/invitation',
  summary: 'Resend an invitation',
  description:
    'Sends a new invitation to a member who has not signed in yet. Earlier links and codes stop working; the new ones are valid for 7 days.',
  scope: 'members:write',
  who: 'staff',
  mode: 'write',
  params: MemberRef,
  returns: Member,
  fails: [invalidState],
  example: { params: { member_id: 'external:invited-1' } },
  async handle({ db, school, params, changed, record }) {
    const row = await lockMemberByRef(db, school, params.member_id)
    if (row.status !== 'invited') throw new Refusal(invalidState, 'This member has already signed in.')
    changed({ ids: [toId('mem', row.id)], fields: [], memberId: row.id })
    record(invited(row))
    return memberView(row)
  },
})

const deleteMemberSessions = operation({
  id: 'deleteMemberSessions',
  route: 'DELETE /members/:member_id/sessions',
  summary: 'Sign a member out',
  description:
    'Ends every browser session of a member and disconnects all their apps. The member can sign in again at once.',
  scope: 'members:write',
  who: 'staff',
  mode: 'write',
  params: MemberRef,
  returns: undefined,
  example: { params: memberExample },
  async handle({ db, school, caller, params, changed, record }) {
    const row = await lockMemberByRef(db, school, params.member_id)
    checkMayTouch(caller.member, row)
    await endEverything(db, school, row.id, 'staff_signed_out')
    changed({ ids: [toId('mem', row.id)], fields: [], memberId: row.id })
    record({ type: 'member.signed_out', payload: { member: toId('mem', row.id) } })
  },
})

const deleteMember = operation({
  id: 'deleteMember',
  route: 'DELETE /members/:member_id',
  summary: 'Delete a member',
  description:
    'Removes a member, who can no longer sign in. Their data is kept until they are erased with `POST /members/{id}/erasure`.',
  scope: 'members:write',
  who: 'staff',
  mode: 'write',
  confirm: 'person',
  ifMatch: 'honoured',
  params: MemberRef,
  returns: undefined,
  fails: [ownAccount],
  example: { params: memberExample },
  async handle({ db, school, caller, params, requireMatch, changed, record }) {
    const row = await lockMemberByRef(db, school, params.member_id)
    await requireMatch(row.revision, () => memberView(row))
    checkMayTouch(caller.member, row)
    refuseSelf(caller.member, row)
    await storeStatus(db, school.id, row.id, { status: 'deleted' })
    await endEverything(db, school, row.id, 'member_deleted')
    changed({ ids: [toId('mem', row.id)], fields: ['status'], revision: row.revision + 1, memberId: row.id })
    record({
      type: 'member.deleted',
      payload: { member: toId('mem', row.id) },
      effects: {
        access: {
          en: 'Removes the member: they are signed out and cannot sign in any more',
          pt: 'Remove o membro: a sessão termina e deixa de poder entrar',
        },
      },
    })
  },
})

/** What changes how far a membership has got. */
export const stateOperations = [suspendMember, reinstateMember, inviteMember, deleteMemberSessions, deleteMember]
