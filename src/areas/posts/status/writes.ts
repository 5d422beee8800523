import type { Db } from '#src/contract/db.ts'
import { dropJob, putJob } from '#src/db/jobs.ts'
import type { PostLine } from '../post/queries.ts'
import { PUBLICATION_JOB, updateStatus } from './queries.ts'

/** Moves a locked post to another status; only `scheduled` has an instant of publication. */
export const storePostStatus = async (
  db: Db,
  schoolId: string,
  id: string,
  { status, publishAt }: { readonly status: PostLine['status']; readonly publishAt?: Date | undefined },
): Promise<void> => {
  await updateStatus(db, schoolId, id, { status, publishAt })
  if (publishAt === undefined) await dropJob(db, schoolId, PUBLICATION_JOB, id)
  else await putJob(db, schoolId, { kind: PUBLICATION_JOB, id, dueAt: publishAt })
}
