import type { TransactionContext } from '#src/contract/context.ts'
import type { Fact } from '#src/contract/fact.ts'
import { MAX_IDS } from '#src/contract/facts/declaration.ts'
import { memberErasure } from '#src/contract/personal-data.ts'
import { recordFacts } from '#src/db/audit.ts'
import { scrubStoredReplies } from '#src/db/stored-replies.ts'
import { endMemberGrants, endSessions, eraseIdentity } from '#src/identity/index.ts'
import { toId } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'
import { endingEffects, withEffects } from '../departure/rules.ts'
import { endRunning, readRunning } from '../departure/writes.ts'
import type { MemberRow } from '../member/queries.ts'
import { blankMembers, eraseMemberData } from './queries.ts'

/** The address of an erased member. */
export const erasedAddress = (id: string): string => `${toId('mem', id)}@erased.invalid`

const erased = texts.people.members.erasure.writes.erased

// One fact for each hundred of them.
const mailsDeleted = (rowIds: readonly string[]): Fact[] =>
  Array.from({ length: Math.ceil(rowIds.length / MAX_IDS) }, (_, index) => {
    const some = rowIds.slice(index * MAX_IDS, (index + 1) * MAX_IDS)
    return { type: 'mail.deleted', payload: { row_ids: some, count: some.length } }
  })

/**
 * Erases a person everywhere, after what runs on for them has ended; records the facts by which the worker removes the files of
 * their mails, and returns the others. `intoId` is the member who has what was theirs, after a merge.
 */
export const erasePerson = async (
  context: TransactionContext,
  row: Pick<MemberRow, 'id' | 'email'>,
  intoId?: string,
): Promise<readonly Fact[]> => {
  const { db, school } = context
  const ref = toId('mem', row.id)
  const running = await readRunning(context, row.id)
  await endSessions(db, school.id, row.id)
  await endMemberGrants(db, school.id, row.id, 'member_erased')
  const ended = await endRunning(context, row.id, 'erasure')
  await memberErasure.call({ memberId: row.id, ...(intoId === undefined ? {} : { intoId }) }, { school, db })
  await eraseMemberData(db, school.id, [row.id])
  const mails = await eraseIdentity(db, school.id, row)
  await scrubStoredReplies(db, school.id, { id: row.id, ref, email: row.email })
  await blankMembers(db, school.id, [{ id: row.id, address: erasedAddress(row.id) }])
  // What removes files is no effect that a person reads of.
  await recordFacts(db, { schoolId: school.id, now: context.now }, mailsDeleted(mails))
  const effects = withEffects(erased, endingEffects(running))
  return [...ended, { type: 'member.erased', payload: { member_id: ref }, effects }]
}
