import Type from 'typebox'
import { findMember, MemberRef, memberExample } from '#src/areas/people/index.ts'
import { operation } from '#src/contract/operation.ts'
import { PageQuery } from '#src/contract/pagination.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { readList } from '#src/db/list.ts'
import { registrationList } from '../registration/conditions.ts'
import { RegistrationPage } from '../registration/schema.ts'
import { buildReader, registrationView } from '../registration/views.ts'

const listMemberRegistrations = operation({
  id: 'listMemberRegistrations',
  summary: "List a member's registrations",
  description: 'Lists the registrations of a member for events, newest first, whatever became of them.',
  who: 'staff',
  mode: 'read',
  params: MemberRef,
  query: Type.Object({ ...PageQuery }),
  returns: RegistrationPage,
  example: { params: memberExample },
  async handle(context) {
    const { db, school, caller, params } = context
    const member = await findMember(db, school.id, params.member_id)
    if (member === undefined) throw new Refusal(notFound, 'There is no such member.')
    const reader = buildReader(caller, { is_host: true })
    return readList(context, registrationList(school.id, { memberId: member.id }, '-created_at'), rows =>
      rows.map(row => registrationView(row, reader)),
    )
  },
})

/** The registrations of a member at all events; no app can list them. */
export const memberRegistrationOperations = [listMemberRegistrations]
