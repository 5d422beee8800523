import Type, { type Static } from 'typebox'
import { BatchResponse, BatchRows, importStatuses } from '#src/contract/batch.ts'
import { Closed, Id, Nullable } from '#src/kit/shapes.ts'
import { MemberSettings, NewMember, Notices } from '../member/schema.ts'
import { NoteSettings } from '../notes/schema.ts'

/** One member of a batch, matched by external_id, else by e-mail; fields that are left out stay as they are. */
export const MemberBatchRow = Closed('MemberBatchRow', {
  ...Type.Partial(MemberSettings).properties,
  email: MemberSettings.properties.email,
  tags: NewMember.properties.tags,
})

/** The same, as a row of an import has it. */
export const MemberImportRow = Closed('MemberImportRow', {
  ...MemberBatchRow.properties,
  is_name_guessed: Type.Optional(Type.Boolean()),
  note: Type.Optional(NoteSettings.properties.body),
})

/** One member of an import as values; a guessed name is that of new members only. */
export type Row = Static<typeof MemberImportRow>

/** The members to create or update. */
export const MemberBatch = Closed('MemberBatch', {
  rows: BatchRows(MemberBatchRow),
  send_invitations: Type.Optional(
    Type.Boolean({ default: false, description: 'Whether each member who is new or comes back is invited by mail' }),
  ),
  restore_deleted: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Whether a row about a member who was deleted brings them back with their history; otherwise it fails',
    }),
  ),
})

/** How many members were created, updated, left unchanged or refused, and the result of each row. */
export const MemberBatchResponse = BatchResponse('MemberBatch', {
  statuses: importStatuses,
  ids: { id: Nullable(Id('mem')), notices: Type.Optional(Notices) },
})
