import { area } from '#src/contract/area.ts'
import { operations } from './operations.ts'

export { memberErasure, memberMerge } from './questions.ts'
export { Member, MemberPage, statuses } from './schema.ts'

/** The people who have an account in the school. */
export const members = area({
  name: 'members',
  summary: 'The people who have an account in the school',
  segments: ['members', 'groups', 'custom-fields'],
  scopes: {
    'members:read': {
      offeredTo: 'admin',
      sentence: { en: 'See all members, with their contact details', pt: 'Ver todos os membros e os seus contactos' },
    },
    'members:write': {
      offeredTo: 'admin',
      sentence: {
        en: 'Add, change, suspend and remove members',
        pt: 'Adicionar, alterar, suspender e remover membros',
      },
    },
  },
  operations,
})
