import { area } from '#src/contract/area.ts'

/** Figures of the school over time. */
export const analytics = area({
  name: 'analytics',
  summary: 'Figures of the school over time',
  segments: ['analytics'],
  scopes: {
    'analytics:read': {
      offeredTo: 'lecturer',
      sentence: {
        en: 'See figures about revenue, learning and attendance',
        pt: 'Ver indicadores de receita, aprendizagem e participação',
      },
    },
  },
  operations: [],
})
