import { area } from '#src/contract/area.ts'

/** What happens at a time and place, with tickets. */
export const events = area({
  name: 'events',
  summary: 'What happens at a time and place, with tickets',
  segments: ['events', 'registrations', 'ticket-types'],
  scopes: {
    'events:read': { offeredTo: 'member', sentence: { en: 'See events', pt: 'Ver eventos' } },
    'events:write': {
      offeredTo: 'lecturer',
      sentence: {
        en: 'Create, change and cancel events, and manage registrations',
        pt: 'Criar, alterar e cancelar eventos e gerir inscrições',
      },
    },
  },
  operations: [],
})
