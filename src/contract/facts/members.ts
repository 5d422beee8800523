import Type from 'typebox'
import { Id } from '#src/kit/shapes.ts'
import { AnyId, Count, declareFacts, FieldNames, Ids, Word } from './declaration.ts'

const scope = 'members:read'
const member = { member_id: Id('mem') }
const aboutMember = { scope, subject: 'member_id', readBy: 'getMember' } as const
const note = { member_id: Id('mem'), note_id: Id('nte') }
const group = { group_id: Id('grp') }
const aboutGroup = { scope, subject: 'group_id', readBy: 'getGroup' } as const
const segment = { segment_id: Id('sgm') }
const field = { field_id: Id('cfd') }
const key = Type.String({ maxLength: 100 })

/** The facts about members, groups, segments and custom fields. */
export const memberFacts = {
  ...declareFacts(
    { ...aboutMember, fields: member },
    {
      'member.created': 'A member was created.',
      'member.deleted': 'A member was deleted.',
      'member.reinstated': 'A member was reinstated.',
      'member.suspended': 'A member was suspended.',
      'member.tag_added': 'A tag was added to a member.',
      'member.tag_removed': 'A tag was removed from a member.',
      'member.view_ended': 'Somebody of the staff stopped seeing the school as a member.',
      'member.view_started': 'Somebody of the staff began to see the school as a member.',
    },
  ),
  ...declareFacts(
    { ...aboutMember, fields: { ...member, in_bulk: Type.Optional(Type.Boolean()) } },
    { 'member.invited': 'A member was invited.' },
  ),
  ...declareFacts(
    { scope: 'internal', subject: 'member_id', fields: member },
    { 'member.signed_out': 'The sessions of a member were ended.' },
  ),
  ...declareFacts(
    { ...aboutMember, fields: { ...member, fields: FieldNames } },
    { 'member.updated': 'A member changed.' },
  ),
  ...declareFacts(
    { ...aboutMember, fields: { ...member, from: Word, to: Word } },
    { 'member.role_changed': 'The role of a member changed.' },
  ),
  ...declareFacts(
    { ...aboutMember, fields: { ...member, merged_member_id: Id('mem') } },
    { 'member.merged': 'Two members became one.' },
  ),
  ...declareFacts(
    { scope, subject: 'member_id', fields: member },
    { 'member.erased': 'The personal data of a member was erased.' },
  ),
  ...declareFacts(
    { scope: 'internal', fields: { row_ids: Ids(Type.String({ maxLength: 36 })), count: Count } },
    { 'mail.deleted': 'Mails to a member who was erased were deleted.' },
  ),
  ...declareFacts(
    { scope, fields: { created: Count, updated: Count } },
    { 'member.imported': 'Members were imported.' },
  ),
  ...declareFacts({ scope, fields: { count: Count } }, { 'member.batch_tagged': 'Tags of several members changed.' }),
  ...declareFacts(
    { scope, subject: 'note_id', readBy: 'getMemberNote', fields: note },
    { 'member.note_created': 'A note on a member was written.', 'member.note_updated': 'A note on a member changed.' },
  ),
  ...declareFacts(
    { scope, subject: 'note_id', fields: note },
    { 'member.note_deleted': 'A note on a member was deleted.' },
  ),
  ...declareFacts(
    { scope, subject: 'member_id', readBy: 'getMember', fields: member },
    {
      'commenter.muted': 'A member may not comment for some time.',
      'commenter.unmuted': 'A member may comment again.',
    },
  ),
  ...declareFacts({ ...aboutGroup, fields: group }, { 'group.created': 'A group was created.' }),
  ...declareFacts({ ...aboutGroup, fields: { ...group, fields: FieldNames } }, { 'group.updated': 'A group changed.' }),
  ...declareFacts(
    { scope, subject: 'group_id', fields: { ...group, member_count: Count, item_count: Count } },
    { 'group.deleted': 'A group was deleted.' },
  ),
  ...declareFacts(
    { ...aboutGroup, fields: { ...group, item_type: Word, item_id: AnyId } },
    {
      'group.item_added': 'An item was added to what a group opens.',
      'group.item_removed': 'An item was removed from what a group opens.',
    },
  ),
  ...declareFacts(
    { ...aboutGroup, fields: { ...group, ...member } },
    {
      'group.member_added': 'A member was added to a group.',
      'group.member_removed': 'A member was removed from a group.',
    },
  ),
  ...declareFacts(
    { scope, subject: 'segment_id', readBy: 'getSegment', fields: segment },
    { 'segment.created': 'A segment of the members was saved.' },
  ),
  ...declareFacts(
    { scope, subject: 'segment_id', readBy: 'getSegment', fields: { ...segment, fields: FieldNames } },
    { 'segment.updated': 'A segment of the members changed.' },
  ),
  ...declareFacts(
    { scope, subject: 'segment_id', fields: segment },
    { 'segment.deleted': 'A segment of the members was deleted.' },
  ),
  ...declareFacts(
    { scope, subject: 'field_id', readBy: 'getCustomField', fields: { ...field, key } },
    { 'custom_field.created': 'A custom field was created.' },
  ),
  ...declareFacts(
    { scope, subject: 'field_id', readBy: 'getCustomField', fields: { ...field, fields: FieldNames } },
    { 'custom_field.updated': 'A custom field changed.' },
  ),
  ...declareFacts(
    { scope, subject: 'field_id', fields: { ...field, key, member_count: Count } },
    { 'custom_field.deleted': 'A custom field was deleted.' },
  ),
  ...declareFacts(
    { scope, fields: { count: Count } },
    { 'custom_field.reordered': 'The order of custom fields changed.' },
  ),
}
