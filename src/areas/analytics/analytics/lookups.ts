import type { SchoolContext } from '#src/contract/context.ts'
import type { Metric } from '#src/contract/metric.ts'
import { declaredMetrics } from './hooks.ts'

/** The metrics of all areas. */
export const listMetrics = async (context: SchoolContext): Promise<Metric[]> =>
  (await declaredMetrics.call(undefined, context)).flat()

/** A metric by its name. */
export const findMetric = async (context: SchoolContext, name: string): Promise<Metric | undefined> =>
  (await listMetrics(context)).find(metric => metric.name === name)
