import type { SchoolContext } from '#src/contract/context.ts'
import type { Metric } from '#src/contract/metric.ts'
import { declaredMetrics } from './hooks.ts'

/** The metrics of all areas. */
export const listMetrics = async (place: SchoolContext): Promise<Metric[]> =>
  (await declaredMetrics.call(undefined, place)).flat()

/** A metric by its name. */
export const findMetric = async (place: SchoolContext, name: string): Promise<Metric | undefined> =>
  (await listMetrics(place)).find(metric => metric.name === name)
