import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import type { GuideStep } from './schema.ts'

/** A step that is behind a school. */
type StepRow = { readonly step: GuideStep; readonly state: 'done' | 'skipped' }

/** The steps that are behind a school. */
export const listSteps = (db: Db, schoolId: string) =>
  db.all(sql<StepRow>`select step, state from guide_steps where school_id = ${schoolId}`)

/** Records steps that are still open, and returns them; a step that is behind the school stays as it is. */
export const insertSteps = async (
  db: Db,
  schoolId: string,
  steps: readonly GuideStep[],
  state: StepRow['state'],
): Promise<GuideStep[]> => {
  const rows = await db.all(sql<{ step: GuideStep }>`
    insert into guide_steps (school_id, step, state, recorded_at)
    select ${schoolId}, step, ${state}, (select stoa.now()) from unnest(${steps}::text[]) as step
    on conflict (school_id, step) do nothing returning step`)
  return rows.map(({ step }) => step)
}
