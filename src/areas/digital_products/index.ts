import { area } from '#src/contract/area.ts'

/** Files the school sells. */
export const digitalProducts = area({
  name: 'digital_products',
  summary: 'Files the school sells',
  segments: ['digital-products'],
  scopes: {
    'digital_products:read': {
      offeredTo: 'member',
      sentence: { en: 'See digital products and what they cost', pt: 'Ver os produtos digitais e os seus preços' },
    },
    'digital_products:write': {
      offeredTo: 'admin',
      sentence: {
        en: 'Create, change and give away digital products',
        pt: 'Criar, alterar e oferecer produtos digitais',
      },
    },
  },
  operations: [],
})
