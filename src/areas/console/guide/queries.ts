import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import type { GuideStep } from './schema.ts'

type StepRow = { readonly step: GuideStep }

const pick = (rows: readonly StepRow[]): GuideStep[] => rows.map(({ step }) => step)

/** The steps that were put off. */
export const listPutOff = async (db: Db, schoolId: string): Promise<GuideStep[]> =>
  pick(await db.all(sql<StepRow>`select step from guide_steps where school_id = ${schoolId}`))

/** Puts steps off, and returns those that were not put off before. */
export const putOff = async (db: Db, schoolId: string, steps: readonly GuideStep[]): Promise<GuideStep[]> =>
  pick(
    await db.all(sql<StepRow>`
      insert into guide_steps (school_id, step, recorded_at)
      select ${schoolId}, step, (select stoa.now()) from unnest(${steps}::text[]) as step
      on conflict (school_id, step) do nothing returning step`),
  )
