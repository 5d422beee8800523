import Type from 'typebox'
import { MemberFilterBody, statuses } from '#src/areas/people/index.ts'
import { BatchResponse, MAX_ROWS } from '#src/contract/batch.ts'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { Closed, Id, Instant, Nullable, OneOf, Personal, Ref } from '#src/kit/shapes.ts'
import { GroupPath } from '../group/schema.ts'
import { rowStatuses } from './rules.ts'

const Member = Ref('mem', ['external'])

/** A member as one of a group. */
export const GroupMember = Closed('GroupMember', {
  id: Id('mem'),
  name: Type.String(),
  email: Personal(Type.String({ description: 'The address the person signs in with' })),
  status: OneOf(statuses, 'How far the membership of the school has got'),
  added_at: Instant,
})

/** One page of the members of a group. */
export const GroupMemberPage = PageOf(GroupMember, 'GroupMemberPage')

/** The query parameters of the members of a group. */
export const GroupMemberQuery = Type.Object({ ...PageQuery })

/** A member of a group in a path. */
export const GroupMemberPath = Type.Object({ ...GroupPath.properties, member_id: Member })

const Members = Type.Optional(
  Type.Array(Member, { maxItems: MAX_ROWS, description: `Members; ${MAX_ROWS} in both lists together` }),
)

/** The members to add to a group, by name or by a filter, and to remove from it. */
export const GroupMemberBatch = Type.Object(
  { add: Members, remove: Members, filter: Type.Optional(MemberFilterBody) },
  { additionalProperties: false, minProperties: 1, title: 'GroupMemberBatch' },
)

/** How many members were added, removed, left unchanged or refused, and the result of each row. */
export const GroupMemberBatchResponse = BatchResponse('GroupMemberBatch', {
  statuses: rowStatuses,
  ids: { id: Nullable(Id('mem')) },
})
