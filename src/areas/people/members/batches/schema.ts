import Type, { type Static } from 'typebox'
import { BatchResponse, BatchRows, importStatuses } from '#src/contract/batch.ts'
import { Closed, Id, Nullable } from '#src/kit/shapes.ts'
import { MemberSettings, NewMember, Notices } from '../member/schema.ts'

/** One member of a batch, matched by external_id, else by e-mail; fields that are left out stay as they are. */
export const MemberBatchRow = Closed('MemberBatchRow', {
  ...Type.Partial(MemberSettings).properties,
  email: MemberSettings.properties.email,
  tags: NewMember.properties.tags,
})

/** One member of a batch as values. */
export type Row = Static<typeof MemberBatchRow>

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
