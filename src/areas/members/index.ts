import { area } from '#src/contract/area.ts'
import { operations } from './operations.ts'
import { emailTaken, externalIdTaken } from './rules.ts'

export { invited } from './actions.ts'
export { type BatchMember, insertMany, lockMeant } from './batches/queries.ts'
export { erasePerson } from './erasure/actions.ts'
export { insertField } from '#src/areas/custom-fields/queries.ts'
export { groupOpenings, type Item, listOpenCourses, type OpenedItem, openedByGroups } from '#src/areas/groups/items/queries.ts'
export { type ItemType, itemTypes } from '#src/areas/groups/items/rules.ts'
export { joinGroup } from '#src/areas/groups/members/actions.ts'
export { listMembersInGroup } from '#src/areas/groups/members/queries.ts'
export { insertGroup, listGroupNames } from '#src/areas/groups/queries.ts'
export { insertNote } from './notes/queries.ts'
export { answerPersonal } from './personal/actions.ts'
export { findMember, insertInvited, lockNamedMember, type MemberRow, type MemberValues, namesOf } from './queries.ts'
export { groupJoined, groupLeft, type ItemName, itemExists, memberErasure, memberMerge } from './hooks.ts'
export { checkMayTouch, emailTaken, faultsOfMember, newValues } from './rules.ts'
export { MarketingConsent, Member, MemberPage, MemberSettings, statuses } from './schema.ts'
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
