import { area } from '#src/contract/area.ts'
import { activityMetrics } from './activity/metrics.ts'
import { implementations } from './implementations.ts'
import { reportOperations } from './reports/operations.ts'
import { createRollUp, METRIC_JOB } from './rollup/jobs.ts'
import { sweepDirty } from './rollup/sweeps.ts'
import { seriesOperations } from './series/operations.ts'

export { declaredMetrics } from './hooks.ts'
export { ReportPage, ReportRows } from './reports/schema.ts'
export { rollUpAll } from './rollup/jobs.ts'
export { onMeasured } from './rollup/subscribers.ts'
export { readManySeries } from './series/lookups.ts'
export { Series, type SeriesValues } from './series/schema.ts'

/** The figures of the school over time: metrics that other areas declare, rolled up after facts, and reports of them. */
export const analytics = area({
  name: 'analytics',
  operations: [...seriesOperations, ...reportOperations],
  hooks: implementations,
  jobs: { [METRIC_JOB]: { create: ({ database }) => createRollUp(database), atOnce: 1 } },
  sweeps: [sweepDirty],
  metrics: activityMetrics,
})
