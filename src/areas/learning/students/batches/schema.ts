import Type, { type Static } from 'typebox'
import { Note, staffSources } from '#src/areas/learning/access/index.ts'
import { MemberFilterBody, MemberSettings } from '#src/areas/people/index.ts'
import { BatchResponse, BatchRows, importStatuses } from '#src/contract/batch.ts'
import { Closed, ExternalId, Id, Instant, Nullable, OneOf, Personal } from '#src/kit/shapes.ts'

/** One enrollment of a batch: the member is named by member_id, else by external_id, else by e-mail. */
export const EnrollmentBatchRow = Closed('EnrollmentBatchRow', {
  member_id: Type.Optional(Id('mem')),
  external_id: Type.Optional(Personal(ExternalId)),
  email: Type.Optional(MemberSettings.properties.email),
  name: Type.Optional(MemberSettings.properties.name),
  course_id: Type.Optional(Id('crs')),
  starts_at: Type.Optional(Nullable(Instant)),
  ends_at: Type.Optional(Nullable(Instant)),
  note: Type.Optional(Note),
})

/** One enrollment of a batch as values. */
export type Row = Static<typeof EnrollmentBatchRow>

/** The enrollments to create or update. */
export const EnrollmentBatch = Closed(
  'EnrollmentBatch',
  {
    course_id: Type.Optional(Id('crs')),
    source: Type.Optional(OneOf(staffSources, 'Where all of it comes from; the default is import')),
    rows: Type.Optional(BatchRows(EnrollmentBatchRow)),
    filter: Type.Optional(MemberFilterBody),
    notify: Type.Optional(
      Type.Boolean({ default: true, description: 'Whether each enrolled person is notified by mail' }),
    ),
    send_invitations: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether each new member is invited by mail' }),
    ),
  },
  'course_id is the course of the rows that name none, and of everybody who matches the filter',
)

/** How many rows had each result, and the result of each row. */
export const EnrollmentBatchResponse = BatchResponse('EnrollmentBatch', {
  statuses: importStatuses,
  ids: { id: Nullable(Id('enr')), member_id: Nullable(Id('mem')) },
})
