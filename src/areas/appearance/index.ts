import { area } from '#src/contract/area.ts'

/** Logo, colours, navigation and style. */
export const appearance = area({
  name: 'appearance',
  summary: 'Logo, colours, navigation and style',
  segments: ['appearance'],
  scopes: {
    'appearance:read': {
      offeredTo: 'member',
      sentence: { en: "See the school's appearance", pt: 'Ver a aparência da escola' },
    },
    'appearance:write': {
      offeredTo: 'admin',
      sentence: { en: "Change the school's appearance", pt: 'Alterar a aparência da escola' },
    },
  },
  operations: [],
})
