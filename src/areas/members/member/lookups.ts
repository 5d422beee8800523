// What later areas read of members.

export { lockMeant } from '../batches/queries.ts'
export {
  countMembers,
  findByWords,
  findMember,
  listChangedMembers,
  lockNamedMember,
  membersStatement,
  namesOf,
} from './queries.ts'
