import type { Db } from '#src/contract/db.ts'
import { dropJob, putJob } from '#src/db/jobs.ts'
import type { CourseRow, Viewer } from '../course/queries.ts'
import { PUBLICATION_JOB, updateStatus } from './queries.ts'

const anybodyOfStaff: Viewer = { memberId: undefined, isStaff: true }

/**
 * Moves a locked course to another status and returns it as the viewer sees it; only `scheduled` has an instant of
 * publication.
 */
export const storeStatus = async (
  db: Db,
  schoolId: string,
  id: string,
  { status, publishAt }: { readonly status: CourseRow['status']; readonly publishAt?: Date },
  viewer = anybodyOfStaff,
): Promise<CourseRow> => {
  const row = await updateStatus(db, schoolId, viewer, id, { status, publishAt })
  if (publishAt === undefined) await dropJob(db, schoolId, PUBLICATION_JOB, id)
  else await putJob(db, schoolId, { kind: PUBLICATION_JOB, id, dueAt: publishAt })
  return row
}
