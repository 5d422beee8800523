import { isAtLeast } from '#src/contract/caller.ts'
import { operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { getNamedMember, lockMemberByRef } from '../member/access.ts'
import { Member, MemberRef, memberExample } from '../member/schema.ts'
import { memberView } from '../member/views.ts'

const startMemberView = operation({
  id: 'startMemberView',
  summary: 'See the school as a member',
  description:
    'Records that somebody of the staff begins to see the site and the courses as a member does: for half an hour, on pages that write nothing. Nobody sees the school as an admin or an owner.',
  who: 'staff',
  mode: 'write',
  proof: 'recent',
  params: MemberRef,
  returns: Member,
  fails: [invalidState],
  example: { params: memberExample },
  async handle({ db, school, params, changed, record }) {
    const row = await lockMemberByRef(db, school, params.member_id)
    if (isAtLeast(row.role, 'admin')) throw new Refusal(invalidState, 'Nobody sees the school as an admin or an owner.')
    if (row.status !== 'active') throw new Refusal(invalidState, 'Only an active member sees the school.')
    const member = toId('mem', row.id)
    changed({ ids: [member], fields: [], memberId: row.id })
    record({ type: 'member.view_started', payload: { member_id: member } })
    return memberView(row)
  },
})

const endMemberView = operation({
  id: 'endMemberView',
  summary: 'Stop seeing the school as a member',
  description: 'Records that somebody of the staff stopped seeing the school as a member.',
  who: 'staff',
  mode: 'write',
  params: MemberRef,
  returns: undefined,
  example: { params: memberExample },
  async handle({ db, school, params, changed, record }) {
    const { id } = await getNamedMember(db, school, params.member_id)
    const member = toId('mem', id)
    changed({ ids: [member], fields: [], memberId: id })
    record({ type: 'member.view_ended', payload: { member_id: member } })
  },
})

/** Seeing the school as a member does; no app can do it. */
export const viewingOperations = [startMemberView, endMemberView]
