import type { Static } from 'typebox'
import type { Role, SignedIn } from '#src/contract/caller.ts'
import type { Db } from '#src/contract/db.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { declareFor, type WriteContext } from '#src/contract/operation.ts'
import { buildPage, parsePage } from '#src/contract/pagination.ts'
import { Refusal } from '#src/contract/problem.ts'
import { conflict, notFound } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { storeRole } from '#src/identity/index.ts'
import { toId } from '#src/kit/ids.ts'
import { countStaff, listStaff, lockOwners, lockRole, type StaffRow } from './queries.ts'
import { lastOwner, leavesNoOwner, roleEffect } from './rules.ts'
import { StaffMember, StaffPage, StaffQuery, StaffRef, StaffRole } from './schema.ts'

// Addresses are shown to callers who may read members, and one's own.
const viewFor =
  ({ member, scopes }: SignedIn) =>
  ({ id, name, email, role, created_at, updated_at }: StaffRow): Static<typeof StaffMember> => ({
    name,
    role,
    ...(scopes.has('members:read') || member.id === id ? { email } : {}),
    id,
    created_at,
    updated_at,
  })

const listSchoolStaff = declareFor('staff', 'school', {
  id: 'listSchoolStaff',
  route: 'GET /school/staff',
  summary: 'List staff',
  description:
    'Lists the staff of the school: its owners and admins. Lecturers are not staff; list them with `GET /members?role=lecturer`.',
  query: StaffQuery,
  returns: StaffPage,
  async handle(context) {
    const { db, school } = context
    const { rows, after } = parsePage(context)
    const found = await listStaff(db, school.id, rows, after?.[0])
    const total = () => countStaff(db, school.id)
    return buildPage(context, found, {
      readPosition: row => [row.id],
      renderViews: rows => rows.map(viewFor(context.caller)),
      total,
    })
  },
})

const isPlaced = (row: StaffRow | undefined): row is StaffRow => row !== undefined && row.role !== 'member'

const getRole = async (db: Db, school: School, memberId: string) => {
  // Every change takes the owners first, so that two of them cannot hold what the other one waits for.
  const owners = await lockOwners(db, school.id)
  const row = await lockRole(db, school.id, memberId)
  return { owners, row }
}

const storeChange = async (
  { db, school, changed, record }: WriteContext,
  owners: readonly string[],
  row: NonNullable<Awaited<ReturnType<typeof lockRole>>>,
  role: Role,
): Promise<StaffRow> => {
  if (leavesNoOwner(owners, row.id, role)) throw new Refusal(lastOwner, `${toId('mem', row.id)} is the last owner.`)
  await storeRole(db, school.id, row.id, role)
  const stored = await lockRole(db, school.id, row.id)
  if (stored === undefined) throw new Error('a member whose role was changed is not there')
  const id = toId('mem', row.id)
  changed({ ids: [id], fields: ['role'], revision: stored.revision, memberId: stored.id })
  record({
    type: 'member.role_changed',
    payload: { member_id: id, from: row.role, to: role },
    effects: { access: roleEffect(row.name, row.role, role) },
  })
  return stored
}

const unknownMember = (): Refusal => new Refusal(notFound, 'There is no such member, or their role is member already.')

const setStaffRole = declareFor('owner', 'school', {
  id: 'setStaffRole',
  route: 'PUT /school/staff/:member_id',
  summary: 'Set a role',
  description:
    'Gives an active or invited member the role lecturer, admin or owner, and ends what the earlier role allowed. The change takes effect within a second for every token of the member; somebody who is invited has the role once they accept.',
  proof: 'recent',
  confirm: 'person',
  params: StaffRef,
  body: StaffRole,
  returns: StaffMember,
  fails: [conflict, lastOwner],
  example: {
    params: { member_id: exampleFrom('mem', 'listMembers', { having: { name: 'Carla Nunes' } }) },
    body: { role: 'admin' },
  },
  async handle(context) {
    const { db, school, caller, params, body } = context
    const { owners, row } = await getRole(db, school, params.member_id)
    if (row === undefined) throw unknownMember()
    if (row.status !== 'active' && row.status !== 'invited')
      throw new Refusal(conflict, `${params.member_id} is not active, but ${row.status}.`)
    if (body.role === 'owner' || row.role === 'owner') context.requireProof('second_factor')
    if (row.role !== body.role) return viewFor(caller)(await storeChange(context, owners, row, body.role))
    context.waiveConfirmation()
    return viewFor(caller)(row)
  },
})

const removeStaffRole = declareFor('owner', 'school', {
  id: 'removeStaffRole',
  route: 'DELETE /school/staff/:member_id',
  summary: 'Remove a role',
  description:
    'Sets the role of a lecturer, admin or owner back to member. They keep their account and their own courses as a learner. The last owner cannot be removed.',
  proof: 'recent',
  confirm: 'person',
  params: StaffRef,
  returns: undefined,
  fails: [lastOwner],
  example: { params: { member_id: exampleFrom('mem', 'listMembers', { having: { name: 'Carla Nunes' } }) } },
  async handle(context) {
    const { db, school, params } = context
    const { owners, row } = await getRole(db, school, params.member_id)
    if (row === undefined || !isPlaced(row)) throw unknownMember()
    await storeChange(context, owners, row, 'member')
    return undefined
  },
})

/** The operations of the staff. */
export const staffOperations = [listSchoolStaff, setStaffRole, removeStaffRole]
