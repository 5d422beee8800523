import Type, { type Static } from 'typebox'
import { Id, Nullable, OneOf } from '#src/kit/shapes.ts'
import { MemberSettings, NewMember } from '../member/schema.ts'

/** One member of a batch: who is meant by external_id, else by e-mail; what is left out stays as it is. */
export const BatchRow = Type.Object(
  {
    ...Type.Partial(MemberSettings).properties,
    email: MemberSettings.properties.email,
    tags: NewMember.properties.tags,
  },
  { additionalProperties: false, title: 'MemberBatchRow' },
)

/** One member of a batch as values. */
export type Row = Static<typeof BatchRow>

/** Up to a thousand members; each row is checked by itself. */
export const MemberBatch = Type.Object(
  {
    rows: Type.Array(Type.Record(Type.String({ maxLength: 64 }), Type.Unknown()), {
      minItems: 1,
      maxItems: 1000,
      description: 'Each as MemberBatchRow; a row that is refused does not affect the others',
    }),
    send_invitations: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether each member who is new is invited by mail' }),
    ),
  },
  { additionalProperties: false, title: 'MemberBatch' },
)

/** What became of one row. */
export const BatchResult = Type.Object(
  {
    index: Type.Integer({ minimum: 0, description: 'The place of the row, from 0' }),
    status: OneOf(['created', 'updated', 'unchanged', 'failed'], 'What became of it'),
    id: Nullable(Id('mem')),
    errors: Type.Optional(
      Type.Array(
        Type.Object(
          { pointer: Type.String(), code: Type.String(), message: Type.String() },
          { additionalProperties: false },
        ),
      ),
    ),
  },
  { additionalProperties: false, title: 'MemberBatchResult' },
)

/** What became of a batch: how many of each, and every row in its order. */
export const MemberBatchAnswer = Type.Object(
  {
    created: Type.Integer({ minimum: 0 }),
    updated: Type.Integer({ minimum: 0 }),
    unchanged: Type.Integer({ minimum: 0 }),
    failed: Type.Integer({ minimum: 0 }),
    results: Type.Array(BatchResult),
  },
  { additionalProperties: false, title: 'MemberBatchAnswer' },
)
