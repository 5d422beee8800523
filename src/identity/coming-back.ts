import type { Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { recordFacts } from '#src/db/audit.ts'
import { toId } from '#src/kit/ids.ts'
import { type Member, restoreMembers } from './queries.ts'

/**
 * Whether somebody who was deleted comes back by proving their address: where everybody may create an account, and unless they
 * were suspended. Others are brought back by staff.
 */
export const mayComeBack = (school: School, member: Pick<Member, 'status' | 'is_barred'> | undefined): boolean =>
  member?.status === 'deleted' && !member.is_barred && school.signupMode === 'open'

/** Whether who proves an address becomes a member with it: one who is new or comes back, where that is open, and who was invited. */
export const mayJoin = (school: School, member: Pick<Member, 'status' | 'is_barred'> | undefined): boolean =>
  member?.status === 'invited' || (member === undefined && school.signupMode === 'open') || mayComeBack(school, member)

/** Brings a member back who has proven the address, unless they may not come back by themselves. */
export const comeBack = async (
  { db, school, now }: { readonly db: Db; readonly school: School; readonly now: Date },
  member: Pick<Member, 'id' | 'status' | 'is_barred'> | undefined,
  status: 'invited' | 'active',
): Promise<void> => {
  if (member === undefined || !mayComeBack(school, member)) return
  const ids = await restoreMembers(db, school.id, [member.id], status)
  const facts = ids.map(id => ({ type: 'member.reinstated' as const, payload: { member_id: toId('mem', id) } }))
  await recordFacts(db, { schoolId: school.id, now }, facts)
}
