import { area } from '#src/contract/area.ts'

/** Forms and what was handed in with them. */
export const forms = area({
  name: 'forms',
  summary: 'Forms and what was handed in with them',
  segments: ['forms'],
  scopes: {
    'forms:read': {
      offeredTo: 'admin',
      sentence: { en: 'See forms and what people answered', pt: 'Ver formulários e as respostas recebidas' },
    },
  },
  operations: [],
})
