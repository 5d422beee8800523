import Type from 'typebox'
import { FactEnvelope } from '#src/areas/apps/webhooks/index.ts'
import { Closed } from '#src/kit/shapes.ts'

const LIMIT = 25

/** The query parameters of the feed. */
export const ChangesQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description:
        'Where to go on: next_after of the answer before; `now` for only what comes; the first fact without it',
    }),
  ),
  types: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
      minItems: 1,
      maxItems: 100,
      description:
        'Types of facts, joined by commas: `course.published`, `course.*`, or `*`; all that the scopes allow unless told',
    }),
  ),
  wait: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 25,
      default: 0,
      description: 'How many seconds to wait for the next fact, where there is none; 0 unless told',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: LIMIT, description: `How many at most; ${LIMIT} unless told` }),
  ),
})

/** Facts in the order of their commits. */
export const ChangePage = Closed('ChangePage', {
  data: Type.Array(FactEnvelope),
  next_after: Type.String({ description: 'The position to read on from, also where there was nothing' }),
  has_more: Type.Boolean({ description: 'Whether there are facts after it' }),
})
