import type { FactHandler } from '#src/contract/fact.ts'
import { putJob } from '#src/db/jobs.ts'
import { PAGES_JOB } from './jobs.ts'

/** Has the open pages of a provider ended that is used for nothing from now on. */
export const onUseChanged: FactHandler<'payment_provider.use_changed'> = async ({ payload }, { db, school, now }) => {
  if (payload.use === 'nothing') await putJob(db, school.id, { kind: PAGES_JOB, id: school.id, dueAt: now })
}
