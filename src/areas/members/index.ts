import { area } from '#src/contract/area.ts'
import { operations } from './operations.ts'
import { emailTaken, externalIdTaken } from './rules.ts'

export { erasePerson } from './erasure/actions.ts'
export { insertField } from './fields/queries.ts'
export { groupOpenings, type Item, type OpenedItem, openedByGroups } from './group-items/queries.ts'
export { type ItemType, itemTypes } from './group-items/rules.ts'
export { insertGroupMembers, listMembersInGroup } from './group-members/queries.ts'
export { insertGroup } from './groups/queries.ts'
export { insertNote } from './notes/queries.ts'
export { personalOf } from './personal/actions.ts'
export { insertInvited, type MemberValues, namesOf } from './queries.ts'
export { itemExists, memberErasure, memberMerge, type ToldItem } from './questions.ts'
export { MarketingConsent, Member, MemberPage, statuses } from './schema.ts'
export { insertTags } from './tags/queries.ts'

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
  constraints: {
    members_school_id_email_folded_key: emailTaken,
    members_external_id: externalIdTaken,
  },
})
