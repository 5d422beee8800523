import type { Db } from '#src/contract/db.ts'
import { newUuid } from '#src/kit/ids.ts'
import { lockMember } from '../queries.ts'
import { endApp, endMemberGrants, listApps } from './queries.ts'

/** Ends a member's grants to an app; waits for an approval that is in progress and ends it too. */
export const withdrawApp = async (db: Db, schoolId: string, memberId: string, id: string, now: Date) => {
  await lockMember(db, schoolId, memberId)
  return endApp(db, schoolId, { id, memberId, eventId: newUuid(now.getTime()) })
}

/** Ends a member's grants to all apps, with an event for each; returns the number of apps. */
export const endEveryApp = async (db: Db, schoolId: string, memberId: string, now: Date): Promise<number> => {
  await lockMember(db, schoolId, memberId)
  const apps = await listApps(db, schoolId, memberId)
  for (const { id } of apps) await endApp(db, schoolId, { id, memberId, eventId: newUuid(now.getTime()) })
  await endMemberGrants(db, schoolId, memberId, 'person_withdrew')
  return apps.length
}
