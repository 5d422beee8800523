import type { Db } from '#src/contract/db.ts'
import { dropJob, putJob } from '#src/db/jobs.ts'
import type { CourseRow } from '../course/queries.ts'
import { PUBLICATION_JOB, updateStatus } from './queries.ts'

/** Moves a course that is held to another status; the instant is when it is to be published, in scheduled alone. */
export const storeStatus = async (
  db: Db,
  schoolId: string,
  id: string,
  { status, publishAt }: { readonly status: CourseRow['status']; readonly publishAt?: string },
): Promise<void> => {
  await updateStatus(db, schoolId, id, { status, publishAt })
  if (publishAt === undefined) await dropJob(db, schoolId, PUBLICATION_JOB, id)
  else await putJob(db, schoolId, { kind: PUBLICATION_JOB, id, dueAt: publishAt })
}
