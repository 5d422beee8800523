import { declareFor } from '#src/contract/operation.ts'
import { usage } from '#src/contract/usage.ts'
import { countConnectedApps } from '#src/identity/index.ts'
import { countUsage } from './queries.ts'
import { SchoolUsage } from './schema.ts'

const getSchoolUsage = declareFor('staff', 'school', {
  id: 'getSchoolUsage',
  route: 'GET /school/usage',
  summary: 'Get usage',
  description:
    'Returns how many members and connected apps the school has, and how many API requests it received each day.',
  returns: SchoolUsage,
  async handle({ db, school }) {
    const [row, connected, answers] = await Promise.all([
      countUsage(db, school.id),
      countConnectedApps(db, school.id),
      usage.call(undefined, { school, db }),
    ])
    const { as_of, active, invited, suspended, today, last_30_days } = row
    return {
      as_of,
      members: { active, invited, suspended },
      apps: { connected },
      requests: { today: Number(today), last_30_days: Number(last_30_days) },
      areas: Object.fromEntries(answers.map(({ area, counts }) => [area, { ...counts }])),
    }
  },
})

/** The operations of usage. */
export const usageOperations = [getSchoolUsage]
