import Type from 'typebox'
import { statuses } from '#src/areas/members/index.ts'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { Id, Instant, Nullable, OneOf, Personal, Ref } from '#src/kit/shapes.ts'
import { GroupPath } from '../group/schema.ts'
import { MAX_ROWS, results } from './rules.ts'

const Member = Ref('mem', ['external'])

/** A member as one of a group. */
export const GroupMember = Type.Object(
  {
    id: Id('mem'),
    name: Type.String(),
    email: Personal(Type.String({ description: 'The address the person signs in with' })),
    status: OneOf(statuses, 'How far the membership of the school has got'),
    added_at: Instant,
  },
  { additionalProperties: false, title: 'GroupMember' },
)

/** One page of the members of a group. */
export const GroupMemberPage = PageOf(GroupMember, 'GroupMemberPage')

/** The query parameters of the members of a group. */
export const GroupMemberQuery = Type.Object({ ...PageQuery })

/** A member of a group in a path. */
export const GroupMemberPath = Type.Object({ ...GroupPath.properties, member_id: Member })

const Members = Type.Optional(
  Type.Array(Member, { maxItems: MAX_ROWS, description: `Members; ${MAX_ROWS} in both lists together` }),
)

/** Who is to be in a group, and who is not. */
export const GroupMemberBatch = Type.Object(
  { add: Members, remove: Members },
  { additionalProperties: false, minProperties: 1, title: 'GroupMemberBatch' },
)

const Result = Type.Object(
  {
    pointer: Type.String({ description: 'Which of the body it is: /add/0, /remove/3' }),
    status: OneOf(results, 'What became of it; failed ones do not affect the others'),
    id: Nullable(Id('mem')),
    code: Type.Optional(OneOf(['unknown', 'owner'], 'Why it failed: no such member, or one only an owner changes')),
  },
  { additionalProperties: false, title: 'GroupMemberResult' },
)

/** What became of a batch: how many of each, and each in its order. */
export const GroupMemberBatchAnswer = Type.Object(
  {
    ...(Object.fromEntries(results.map(result => [result, Type.Integer({ minimum: 0 })])) as Record<
      (typeof results)[number],
      ReturnType<typeof Type.Integer>
    >),
    results: Type.Array(Result),
  },
  { additionalProperties: false, title: 'GroupMemberBatchAnswer' },
)
