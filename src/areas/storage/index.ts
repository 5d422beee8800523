import { area } from '#src/contract/area.ts'

/** Files on their way into the school. */
export const storage = area({
  name: 'storage',
  summary: 'Files on their way into the school',
  segments: ['uploads'],
  scopes: {
    'storage:write': {
      offeredTo: 'member',
      sentence: { en: 'Upload files for you', pt: 'Carregar ficheiros em seu nome' },
    },
  },
  operations: [],
})
