import { area } from '#src/contract/area.ts'

/** What people say below courses, lessons, posts and events. */
export const comments = area({
  name: 'comments',
  summary: 'What people say below courses, lessons, posts and events',
  segments: ['comments'],
  scopes: {
    'comments:read': { offeredTo: 'member', sentence: { en: 'Read comments', pt: 'Ler comentários' } },
  },
  operations: [],
})
