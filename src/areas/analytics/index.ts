import type { Area } from '#src/contract/area.ts'
import { analytics } from './analytics/index.ts'

export {
  declaredMetrics,
  onMeasured,
  ReportPage,
  ReportRows,
  readManySeries,
  rollUpAll,
  Series,
  type SeriesValues,
} from './analytics/index.ts'

/** The areas of this domain in their order; each may import the ones before it. */
export const analyticsAreas: readonly Area[] = [analytics]
