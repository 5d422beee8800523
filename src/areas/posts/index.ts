import { area } from '#src/contract/area.ts'

/** The blog of the school. */
export const posts = area({
  name: 'posts',
  summary: 'The blog of the school',
  segments: ['posts'],
  scopes: {
    'posts:read': {
      offeredTo: 'member',
      sentence: { en: 'Read the posts that are open to you', pt: 'Ler os artigos a que tem acesso' },
    },
    'posts:write': {
      offeredTo: 'lecturer',
      sentence: { en: 'Write, change and publish posts', pt: 'Escrever, alterar e publicar artigos' },
    },
  },
  operations: [],
})
