import { area } from '#src/contract/area.ts'

/** What was bought, by whom and for how much. */
export const orders = area({
  name: 'orders',
  summary: 'What was bought, by whom and for how much',
  segments: ['orders'],
  scopes: {
    'orders:read': {
      offeredTo: 'admin',
      sentence: {
        en: "See all orders, with buyers' names and amounts",
        pt: 'Ver todas as encomendas, com nomes e valores',
      },
    },
  },
  operations: [],
})
