import type { WriteContext } from '#src/contract/context.ts'
import type { Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { endCodes, endMemberGrants, endSessions } from '#src/identity/index.ts'
import { toId } from '#src/kit/ids.ts'
import { foldEmail } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import { lockMatchingMembers } from '../batches/queries.ts'
import { indexMembers } from '../batches/rules.ts'
import { waitingEffects, withEffects } from '../departure/rules.ts'
import { readRunning } from '../departure/writes.ts'
import { mayTouch } from '../member/access.ts'
import { type MemberRow, storeStatus } from '../member/queries.ts'

/** Signs a member out everywhere and disconnects every app, for a reason that is kept. */
export const endEverything = async (db: Db, school: School, memberId: string, reason: string): Promise<void> => {
  await endSessions(db, school.id, memberId)
  await endMemberGrants(db, school.id, memberId, reason)
  await endCodes(db, school.id, memberId)
}

const shutOut = texts.people.memberStates.operations.shutOut

type Changing = Pick<WriteContext, 'db' | 'school' | 'caller' | 'changed' | 'record'>

const change = (
  { changed }: Pick<Changing, 'changed'>,
  { id, revision }: Pick<MemberRow, 'id' | 'revision'>,
): string => {
  const member = toId('mem', id)
  changed({ ids: [member], fields: ['status'], revision, memberId: id })
  return member
}

/** Suspends an active member whose row is locked; the reason is for staff. */
export const suspend = async (context: Changing, { id }: MemberRow, reason?: string): Promise<MemberRow> => {
  const { db, school, record } = context
  const running = await readRunning({ db, school }, id)
  const stored = await storeStatus(db, school.id, id, { status: 'suspended', reason })
  await endEverything(db, school, id, 'member_suspended')
  record({
    type: 'member.suspended',
    payload: { member_id: change(context, stored) },
    effects: withEffects(shutOut, waitingEffects(running)),
  })
  return stored
}

/** Lets a suspended member whose row is locked sign in again. */
export const reinstate = async (context: Changing, { id }: Pick<MemberRow, 'id'>): Promise<MemberRow> => {
  const { db, school, record } = context
  const stored = await storeStatus(db, school.id, id, { status: 'active' })
  record({ type: 'member.reinstated', payload: { member_id: change(context, stored) } })
  return stored
}

/** Whom a list calls inactive, by external id, else by address. */
type Named = { readonly email?: string | undefined; readonly external_id?: string | undefined }

/** What became of somebody whom a list calls inactive; nothing is done to who is not active, or whom the caller may not change. */
type SuspensionOutcome = { readonly status: 'updated' | 'unchanged' | 'skipped'; readonly id?: string }

/** Suspends the active members whom a list calls inactive; returns what became of each, in order. */
export const suspendNamed = async (
  context: Changing,
  names: readonly Named[],
  reason: string,
): Promise<SuspensionOutcome[]> => {
  const { db, school, caller } = context
  const emails = names.flatMap(({ email }) => (email === undefined ? [] : [foldEmail(email)]))
  const members = await lockMatchingMembers(
    db,
    school.id,
    names.flatMap(({ external_id: id }) => id ?? []),
    emails,
  )
  const { byExternal, byEmail } = indexMembers(members)
  const suspended = new Set<string>()
  const outcomes: SuspensionOutcome[] = []
  for (const { external_id: externalId = '', email = '' } of names) {
    const row = byExternal.get(externalId) ?? byEmail.get(foldEmail(email))
    const isMine = row !== undefined && row.id !== caller.member.id && mayTouch(caller.member, row)
    if (!isMine || (row.status !== 'active' && row.status !== 'suspended')) outcomes.push({ status: 'skipped' })
    else if (row.status === 'suspended' || suspended.has(row.id)) outcomes.push({ status: 'unchanged', id: row.id })
    else {
      await suspend(context, row, reason)
      suspended.add(row.id)
      outcomes.push({ status: 'updated', id: row.id })
    }
  }
  return outcomes
}
