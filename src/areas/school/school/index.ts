import { area } from '#src/contract/area.ts'
import { operations } from './operations.ts'

export { currencyUses } from './hooks.ts'
export { listTimeZones, type ZonePeriod } from './queries.ts'
export { FIRST_NAME } from './rules.ts'
export { AuditPage, School, SchoolSettings } from './schema.ts'
export { lastOwner } from './staff/rules.ts'
export { SchoolUsage } from './usage/schema.ts'

/** The school itself: its settings, staff, usage and audit log. */
export const school = area({ name: 'school', operations })
