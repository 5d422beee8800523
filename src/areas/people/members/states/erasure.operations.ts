import { exampleFrom } from '#src/contract/example.ts'
import { declareFor } from '#src/contract/operation.ts'
import { memberMerge } from '#src/contract/personal-data.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidBody } from '#src/contract/problems.ts'
import { keepConsents, moveConsents } from '#src/identity/index.ts'
import { toId } from '#src/kit/ids.ts'
import { Closed, Id } from '#src/kit/shapes.ts'
import { texts } from '#src/texts/index.ts'
import { movingEffects, withEffects } from '../departure/rules.ts'
import { readRunning } from '../departure/writes.ts'
import { isErased, moveMember } from '../erasure/queries.ts'
import { erasePerson } from '../erasure/writes.ts'
import { checkMayTouch, lockMemberByRef, lockUnerasedMember } from '../member/access.ts'
import { lockNamedMember, type MemberRow, storeMember } from '../member/queries.ts'
import { mergedConsent, ownAccount } from '../member/rules.ts'
import { Member, MemberRef, memberExample } from '../member/schema.ts'
import { memberView } from '../member/views.ts'

const eraseMember = declareFor('staff', 'members', {
  id: 'eraseMember',
  route: 'POST /members/:member_id/erasure',
  summary: "Erase a member's personal data",
  description:
    'Permanently removes everything that identifies the person, also from stored e-mails. Orders stay without name and e-mail address. Issued invoices and credit notes keep name and address for the retention period of the school (`checkout.retain_years`). Backups made earlier keep the data until they are deleted.',
  proof: 'recent',
  confirm: 'person',
  params: MemberRef,
  returns: undefined,
  fails: [ownAccount],
  example: { params: memberExample },
  async handle(context) {
    const { db, school, caller, params, changed, record } = context
    const row = await lockUnerasedMember(db, school, params.member_id)
    checkMayTouch(caller.member, row)
    if (row.id === caller.member.id) throw new Refusal(ownAccount, 'Delete your own account under /account/deletion.')
    const facts = await erasePerson(context, row)
    changed({ ids: [toId('mem', row.id)], fields: ['erased'], memberId: row.id })
    for (const fact of facts) record(fact)
  },
})

const Merge = Closed('MemberMerge', { member_id: Id('mem') }, 'The member to merge into this one; they are erased')

// Empty fields of the remaining member are filled from the other; the rest stays as it is.
const filledFrom = (into: MemberRow, from: MemberRow): MemberRow => ({
  ...into,
  phone: into.phone ?? from.phone,
  locale: into.locale ?? from.locale,
  time_zone: into.time_zone ?? from.time_zone,
  external_id: into.external_id ?? from.external_id,
  joined_at: into.joined_at ?? from.joined_at,
  custom_fields: { ...from.custom_fields, ...into.custom_fields },
  ...mergedConsent(into, from),
})

const merged = texts.people.memberStates.erasureOperations.merged

const mergeMembers = declareFor('staff', 'members', {
  id: 'mergeMembers',
  route: 'POST /members/:member_id/merges',
  summary: 'Merge two members',
  description:
    'Moves tags, notes, groups, enrollments and everything else of another account into this one, and fills fields that are empty here. E-mails that the person turned off in either account stay off. The other account is erased, and its password and connected apps end.',
  proof: 'recent',
  confirm: 'person',
  params: MemberRef,
  body: Merge,
  returns: Member,
  fails: [ownAccount],
  example: {
    params: memberExample,
    body: { member_id: exampleFrom('mem', 'listMembers', { having: { email: 'femi@crumb.example' } }) },
  },
  async handle(context) {
    const { db, school, caller, params, body, changed, record } = context
    // What runs on would go on for nobody.
    const into = await lockMemberByRef(db, school, params.member_id)
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
    const running = await readRunning(context, other.id)
    await moveMember(db, school.id, other.id, into.id)
    await moveConsents(db, school.id, other.id, into.id)
    await memberMerge.call({ fromId: other.id, intoId: into.id }, { school, db })
    for (const fact of await erasePerson(context, other, into.id)) record(fact)
    const stored = await storeMember(db, school.id, into.id, filledFrom(into, other))
    await keepConsents(db, school.id, [into.id])
    const ids = { member_id: toId('mem', into.id), merged_member_id: toId('mem', other.id) }
    changed({ ids: Object.values(ids), fields: ['merged'], revision: stored.revision, memberId: into.id })
    record({
      type: 'member.merged',
      payload: ids,
      effects: withEffects(merged, movingEffects(running)),
    })
    return memberView(stored)
  },
})

/** The operations to erase and to merge members. */
export const erasureOperations = [eraseMember, mergeMembers]
