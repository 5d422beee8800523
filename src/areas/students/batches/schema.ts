import Type, { type Static } from 'typebox'
import { givenSources, Note } from '#src/areas/access/index.ts'
import { MemberSettings } from '#src/areas/members/index.ts'
import { ExternalId, Id, Instant, Nullable, OneOf, Personal } from '#src/kit/shapes.ts'

/** The possible results of a row. */
export const outcomes = ['created', 'updated', 'unchanged', 'failed'] as const

/** One enrollment of a batch: the member is named by member_id, else by external_id, else by e-mail. */
export const EnrollmentBatchRow = Type.Object(
  {
    member_id: Type.Optional(Id('mem')),
    external_id: Type.Optional(Personal(ExternalId)),
    email: Type.Optional(MemberSettings.properties.email),
    name: Type.Optional(MemberSettings.properties.name),
    course_id: Type.Optional(Id('crs')),
    starts_at: Type.Optional(Nullable(Instant)),
    ends_at: Type.Optional(Nullable(Instant)),
    note: Type.Optional(Note),
  },
  { additionalProperties: false, title: 'EnrollmentBatchRow' },
)

/** One enrollment of a batch as values. */
export type Row = Static<typeof EnrollmentBatchRow>

/** Up to a thousand enrollments; each row is checked by itself. */
export const EnrollmentBatch = Type.Object(
  {
    course_id: Type.Optional(Id('crs')),
    source: Type.Optional(OneOf(givenSources, 'Where all of it comes from; the default is import')),
    rows: Type.Array(Type.Record(Type.String({ maxLength: 64 }), Type.Unknown()), {
      minItems: 1,
      maxItems: 1000,
      description: 'Each as EnrollmentBatchRow; a row that fails does not stop the others',
    }),
    notify: Type.Optional(
      Type.Boolean({ default: true, description: 'Whether each enrolled person is notified by mail' }),
    ),
    send_invitations: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether each new member is invited by mail' }),
    ),
  },
  {
    additionalProperties: false,
    title: 'EnrollmentBatch',
    description: 'course_id is the course of the rows that name none',
  },
)

const Result = Type.Object(
  {
    index: Type.Integer({ minimum: 0, description: 'The place of the row, from 0' }),
    status: OneOf(outcomes, 'The result of the row'),
    id: Nullable(Id('enr')),
    member_id: Nullable(Id('mem')),
    errors: Type.Optional(
      Type.Array(
        Type.Object(
          { pointer: Type.String(), code: Type.String(), message: Type.String() },
          { additionalProperties: false },
        ),
      ),
    ),
  },
  { additionalProperties: false, title: 'EnrollmentBatchResult' },
)

/** The result of a batch: how many of each, and every row in its order. */
export const EnrollmentBatchAnswer = Type.Object(
  {
    created: Type.Integer({ minimum: 0 }),
    updated: Type.Integer({ minimum: 0 }),
    unchanged: Type.Integer({ minimum: 0 }),
    failed: Type.Integer({ minimum: 0 }),
    results: Type.Array(Result),
  },
  { additionalProperties: false, title: 'EnrollmentBatchAnswer' },
)
