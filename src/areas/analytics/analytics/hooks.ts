import { hook } from '#src/contract/hook.ts'
import type { Metric } from '#src/contract/metric.ts'

/** The metrics of the whole application, in the order of the areas. */
export const declaredMetrics = hook<undefined, readonly Metric[]>('declaredMetrics')
