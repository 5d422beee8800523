import type { Db } from '#src/contract/db.ts'
import { newUuid } from '#src/kit/ids.ts'
import { lockMember } from '../queries.ts'
import { endApp, endGrantsOf, listApps } from './queries.ts'

/** Ends all that a member allowed an app; an approval that is being given at this instant is waited for and ends too. */
export const withdrawApp = async (db: Db, schoolId: string, memberId: string, id: string, now: Date) => {
  await lockMember(db, schoolId, memberId)
  return endApp(db, schoolId, { id, memberId, eventId: newUuid(now.getTime()) })
}

/** Ends all that a member allowed to any app, with an event for each; the number of apps. */
export const endEveryApp = async (db: Db, schoolId: string, memberId: string, now: Date): Promise<number> => {
  await lockMember(db, schoolId, memberId)
  const apps = await listApps(db, schoolId, memberId)
  for (const { id } of apps) await endApp(db, schoolId, { id, memberId, eventId: newUuid(now.getTime()) })
  await endGrantsOf(db, schoolId, memberId, 'person_withdrew')
  return apps.length
}
