import { area } from '#src/contract/area.ts'

/** Plans that open several courses at once. */
export const membershipPlans = area({
  name: 'membership_plans',
  summary: 'Plans that open several courses at once',
  segments: ['membership-plans'],
  scopes: {
    'membership_plans:read': {
      offeredTo: 'member',
      sentence: { en: 'See membership plans and what they cost', pt: 'Ver os planos de subscrição e os seus preços' },
    },
    'membership_plans:write': {
      offeredTo: 'admin',
      sentence: { en: 'Create and change membership plans', pt: 'Criar e alterar planos de subscrição' },
    },
  },
  operations: [],
})
