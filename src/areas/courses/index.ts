import { area } from '#src/contract/area.ts'

/** What the school teaches, with prices, categories, reviews and certificates. */
export const courses = area({
  name: 'courses',
  summary: 'What the school teaches, with prices, categories, reviews and certificates',
  segments: ['courses', 'categories', 'reviews', 'certificates', 'certificate-templates'],
  scopes: {
    'courses:read': {
      offeredTo: 'member',
      sentence: { en: 'See courses and what they cost', pt: 'Ver os cursos e os seus preços' },
    },
    'courses:write': {
      offeredTo: 'lecturer',
      sentence: { en: 'Create, change and publish courses', pt: 'Criar, alterar e publicar cursos' },
    },
  },
  operations: [],
})
