import type { FactHandler } from '#src/contract/fact.ts'
import { putJob } from '#src/db/jobs.ts'
import { fromId } from '#src/kit/ids.ts'
import { listWaitedForBy } from './queries.ts'
import { OFFER_JOB } from './writes.ts'

/** Offers the seats that became free meanwhile to a member who waited and was suspended. */
export const onReinstated: FactHandler<'member.reinstated'> = async ({ payload }, { db, school, now }) => {
  const memberId = fromId('mem', payload.member_id)
  const ids = memberId === undefined ? [] : await listWaitedForBy(db, school.id, memberId)
  for (const id of ids) await putJob(db, school.id, { kind: OFFER_JOB, id, dueAt: now })
}
