import Type from 'typebox'
import type { Db } from '#src/contract/db.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidBody, notFound } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { toId } from '#src/kit/ids.ts'
import { Id } from '#src/kit/shapes.ts'
import { memberMerge } from '../hooks.ts'
import { checkMayTouch } from '../member/access.ts'
import { lockNamedMember, type MemberRow, storeMember } from '../member/queries.ts'
import { ownAccount } from '../member/rules.ts'
import { Member, MemberRef, memberExample } from '../member/schema.ts'
import { memberView } from '../member/views.ts'
import { isErased, moveMember } from './queries.ts'
import { erasePerson } from './writes.ts'

// A deleted member can still be erased; an erased one no longer exists.
const lockUnerasedMember = async (db: Db, school: School, ref: string): Promise<MemberRow> => {
  const row = await lockNamedMember(db, school.id, ref)
  if (row !== undefined && !(await isErased(db, school.id, row.id))) return row
  throw new Refusal(notFound, 'There is no such member.')
}

const eraseMember = operation({
  id: 'eraseMember',
  route: 'POST /members/:member_id/erasure',
  summary: "Erase a member's personal data",
  description:
    'Permanently removes everything that identifies the person, also from stored e-mails. Orders stay without name and e-mail address. Issued invoices and credit notes keep name and address for the retention period of the school (`checkout.retain_years`). Backups made earlier keep the data until they are deleted.',
  scope: 'members:write',
  who: 'staff',
  mode: 'write',
  confirm: 'person',
  params: MemberRef,
  returns: undefined,
  fails: [ownAccount],
  example: { params: memberExample },
  async handle({ db, school, caller, params, changed, record }) {
    const row = await lockUnerasedMember(db, school, params.member_id)
    checkMayTouch(caller.member, row)
    if (row.id === caller.member.id) throw new Refusal(ownAccount, 'Delete your own account under /account/deletion.')
    const fact = await erasePerson(db, school, row)
    changed({ ids: [toId('mem', row.id)], fields: ['erased'], memberId: row.id })
    record(fact)
  },
})

const Merge = Type.Object(
  { member_id: Id('mem') },
  {
    additionalProperties: false,
    title: 'MemberMerge',
    description: 'The member to merge into this one; they are erased',
  },
)

// A consent is never taken over; one that was withdrawn in the other account later ends.
const consentAfter = (into: MemberRow, from: MemberRow) => {
  const isLater = from.marketing_at !== null && (into.marketing_at === null || from.marketing_at > into.marketing_at)
  const { marketing_granted, marketing_source } = isLater && !from.marketing_granted ? from : into
  return { marketing_granted, marketing_source }
}

// Empty fields of the remaining member are filled from the other; the rest stays as it is.
const filledFrom = (into: MemberRow, from: MemberRow): MemberRow => ({
  ...into,
  phone: into.phone ?? from.phone,
  locale: into.locale ?? from.locale,
  time_zone: into.time_zone ?? from.time_zone,
  external_id: into.external_id ?? from.external_id,
  custom_fields: { ...from.custom_fields, ...into.custom_fields },
  ...consentAfter(into, from),
})

const mergeMembers = operation({
  id: 'mergeMembers',
  route: 'POST /members/:member_id/merges',
  summary: 'Merge two members',
  description:
    'Moves tags, notes, groups, enrollments and everything else of another account into this one, and fills fields that are empty here. E-mails that the person turned off in either account stay off. The other account is erased, and its password and connected apps end.',
  scope: 'members:write',
  who: 'staff',
  mode: 'write',
  confirm: 'person',
  params: MemberRef,
  body: Merge,
  returns: Member,
  fails: [ownAccount],
  example: {
    params: memberExample,
    body: { member_id: exampleFrom('mem', 'listMembers', { having: { email: 'femi@crumb.example' } }) },
  },
  async handle({ db, school, caller, params, body, changed, record }) {
    const into = await lockUnerasedMember(db, school, params.member_id)
    const otherId = body.member_id
    const other = otherId === undefined ? undefined : await lockNamedMember(db, school.id, body.member_id)
    const fieldError = (code: string, message: string) =>
      new Refusal(invalidBody, 'The other member cannot be merged.', {
        errors: [{ pointer: '/member_id', code, message }],
      })
    if (other === undefined || (await isErased(db, school.id, other.id))) throw fieldError('unknown', 'is nobody')
    if (other.id === into.id) throw fieldError('same', 'is the same member')
    for (const row of [into, other]) checkMayTouch(caller.member, row)
    if (other.id === caller.member.id) throw new Refusal(ownAccount, 'Your own account would be erased.')
    await moveMember(db, school.id, other.id, into.id)
    await memberMerge.call({ fromId: other.id, intoId: into.id }, { school, db })
    record(await erasePerson(db, school, other))
    const stored = await storeMember(db, school.id, into.id, filledFrom(into, other))
    const ids = [toId('mem', into.id), toId('mem', other.id)]
    changed({ ids, fields: ['merged'], revision: stored.revision, memberId: into.id })
    record({
      type: 'member.merged',
      payload: { member: ids[0], from: ids[1] },
      effects: {
        access: {
          en: 'Gives everything the other account has to this one, and ends the other one',
          pt: 'Passa tudo o que a outra conta tem para esta, e termina a outra',
        },
      },
    })
    return memberView(stored)
  },
})

/** The operations to erase and to merge members. */
export const erasureOperations = [eraseMember, mergeMembers]
