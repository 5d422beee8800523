import { area } from '#src/contract/area.ts'

/** The pages of the school site. */
export const pages = area({
  name: 'pages',
  summary: 'The pages of the school site',
  segments: ['pages'],
  scopes: {
    'pages:read': { offeredTo: 'member', sentence: { en: 'Read pages', pt: 'Ler páginas' } },
    'pages:write': {
      offeredTo: 'admin',
      sentence: { en: 'Create, change and publish pages', pt: 'Criar, alterar e publicar páginas' },
    },
  },
  operations: [],
})
