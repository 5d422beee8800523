import type { HookPlace } from '#src/contract/hook.ts'
import type { Metric } from '#src/contract/metric.ts'
import { declaredMetrics } from './hooks.ts'

/** The metrics of all areas. */
export const listMetrics = async (place: HookPlace): Promise<Metric[]> =>
  (await declaredMetrics.call(undefined, place)).flat()

/** A metric by its name. */
export const findMetric = async (place: HookPlace, name: string): Promise<Metric | undefined> =>
  (await listMetrics(place)).find(metric => metric.name === name)
