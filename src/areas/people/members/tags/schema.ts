import Type from 'typebox'
import { BatchCounts } from '#src/contract/batch.ts'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { Closed, Line, Ref } from '#src/kit/shapes.ts'
import { MAX_TAG_LENGTH } from '#src/kit/text.ts'
import { MemberFilterBody } from '../member/schema.ts'

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
  filter: MemberFilterBody,
  add: Type.Optional(Tags),
  remove: Type.Optional(Tags),
})

/** How many of the matching members were updated, and how many have had the tags as requested. */
export const TagBatchResponse = BatchCounts('TagBatchResponse', ['updated', 'unchanged'])
