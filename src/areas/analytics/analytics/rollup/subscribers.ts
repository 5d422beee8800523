import type { StoredFactHandler } from '#src/contract/fact.ts'
import { planRollUp } from './jobs.ts'

/** Has the worker roll up what has changed, after a fact that a metric names. */
export const onMeasured: StoredFactHandler = (_, { db, school }) => planRollUp(db, school.id)
