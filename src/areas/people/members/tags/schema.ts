import Type from 'typebox'
import { BatchCounts } from '#src/contract/batch.ts'
import { roles } from '#src/contract/caller.ts'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { Closed, Id, Line, OneOf, Ref } from '#src/kit/shapes.ts'
import { MAX_TAG_LENGTH } from '#src/kit/text.ts'
import { statuses } from '../member/schema.ts'

const Tag = Line(MAX_TAG_LENGTH, 'A word or two; kept in lower case')

/** A tag and how many members have it. */
const MemberTag = Closed('MemberTag', { tag: Type.String(), member_count: Type.Integer({ minimum: 1 }) })

/** One page of the tags. */
export const TagPage = PageOf(MemberTag, 'MemberTagPage')

/** The query parameters of the list of tags. */
export const TagQuery = Type.Object({ ...PageQuery })

/** A tag of a member. */
export const TagRef = Type.Object({ member_id: Ref('mem', ['external']), tag: Tag })

const Tags = Type.Array(Tag, { maxItems: 20 })

/** Which members, and which tags to add and remove. */
export const TagBatch = Closed('TagBatch', {
  filter: Type.Object(
    {
      q: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      status: Type.Optional(OneOf(statuses, 'Only this status')),
      role: Type.Optional(OneOf(roles, 'Only this role')),
      tag: Type.Optional(Tag),
      group_id: Type.Optional(Id('grp')),
      id_in: Type.Optional(Type.Array(Id('mem'), { minItems: 1, maxItems: 1000 })),
    },
    { additionalProperties: false, minProperties: 1, description: 'At least one condition; all must hold' },
  ),
  add: Type.Optional(Tags),
  remove: Type.Optional(Tags),
})

/** How many of the matching members were updated, and how many have had the tags as requested. */
export const TagBatchResponse = BatchCounts('TagBatchResponse', ['updated', 'unchanged'])
