import { area } from '#src/contract/area.ts'

/** Price reductions and their codes. */
export const coupons = area({
  name: 'coupons',
  summary: 'Price reductions and their codes',
  segments: ['coupons'],
  scopes: {
    'coupons:read': {
      offeredTo: 'admin',
      sentence: {
        en: 'See coupons, their codes and who used them',
        pt: 'Ver os cupões, os seus códigos e quem os usou',
      },
    },
    'coupons:write': {
      offeredTo: 'admin',
      sentence: { en: 'Create and change coupons', pt: 'Criar e alterar cupões' },
    },
  },
  operations: [],
})
