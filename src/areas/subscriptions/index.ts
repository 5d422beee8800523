import { area } from '#src/contract/area.ts'

/** Memberships that run and renew. */
export const subscriptions = area({
  name: 'subscriptions',
  summary: 'Memberships that run and renew',
  segments: ['subscriptions'],
  scopes: {
    'subscriptions:read': {
      offeredTo: 'admin',
      sentence: { en: 'See all subscriptions', pt: 'Ver todas as subscrições' },
    },
    'subscriptions:write': {
      offeredTo: 'admin',
      sentence: {
        en: 'Give, extend, pause and cancel subscriptions',
        pt: 'Atribuir, prolongar, suspender e cancelar subscrições',
      },
    },
  },
  operations: [],
})
