import { area } from '#src/contract/area.ts'
import { operations } from './operations.ts'

export { listTimeZones, type ZonePeriod } from './queries.ts'
export { SchoolSettings } from './schema.ts'
export { lastOwner } from './staff/rules.ts'
export { SchoolUsage } from './usage/schema.ts'

/** The school itself: its name, language, money and staff. */
export const school = area({
  name: 'school',
  summary: 'The school itself: its name, language, money and staff',
  segments: ['school'],
  scopes: {
    'school:read': {
      offeredTo: 'member',
      sentence: {
        en: "See the school's public settings and, for staff, all of them",
        pt: 'Ver os dados públicos da escola e, para a equipa, todas as definições',
      },
    },
    'school:write': {
      offeredTo: 'admin',
      sentence: { en: "Change the school's settings", pt: 'Alterar as definições da escola' },
    },
  },
  operations,
})
