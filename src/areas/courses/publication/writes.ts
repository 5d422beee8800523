import type { Db } from '#src/contract/db.ts'
import { dropJob, putJob } from '#src/db/jobs.ts'
import type { CourseRow, Viewer } from '../course/queries.ts'
import { PUBLICATION_JOB, updateStatus } from './queries.ts'

const anybodyOfStaff: Viewer = { memberId: undefined, isStaff: true }

/**
 * Moves a course that is held to another status and gives it as the viewer sees it; the instant is when it is to be
 * published, in scheduled alone.
 */
export const storeStatus = async (
  db: Db,
  schoolId: string,
  id: string,
  { status, publishAt }: { readonly status: CourseRow['status']; readonly publishAt?: string },
  viewer = anybodyOfStaff,
): Promise<CourseRow> => {
  const row = await updateStatus(db, schoolId, viewer, id, { status, publishAt })
  if (publishAt === undefined) await dropJob(db, schoolId, PUBLICATION_JOB, id)
  else await putJob(db, schoolId, { kind: PUBLICATION_JOB, id, dueAt: publishAt })
  return row
}
