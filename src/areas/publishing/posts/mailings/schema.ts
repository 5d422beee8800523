import Type, { type Static } from 'typebox'
import { Tag } from '#src/contract/listing.ts'
import { Id, Instant, OneOf } from '#src/kit/shapes.ts'

const closed = { additionalProperties: false } as const

const audiences = ['all', 'plans', 'tags'] as const

const audience = OneOf(
  audiences,
  'Among the members who agreed to news and offers: all, holders of one of some plans, or those with one of some tags',
)

const planIds = Type.Array(Id('mpl'), { maxItems: 20, uniqueItems: true, description: 'The plans, for `plans`' })
const tags = Type.Array(Tag, { maxItems: 20, uniqueItems: true, description: 'The tags of members, for `tags`' })

/** To whom a post is mailed, and when. */
export const NewPostMailing = Type.Object(
  { audience, plan_ids: Type.Optional(planIds), tags: Type.Optional(tags), at: Type.Optional(Instant) },
  { ...closed, title: 'NewPostMailing', description: 'Without an instant the mails are sent now' },
)

/** The mailing of a post. */
export const PostMailing = Type.Object(
  {
    post_id: Id('pst'),
    audience,
    plan_ids: planIds,
    tags,
    at: Instant,
    recipient_count: Type.Integer({
      minimum: 0,
      description: 'How many members would get it now; who withdraws their consent before it is sent does not',
    }),
  },
  { ...closed, title: 'PostMailing' },
)

/** The input of a mailing, as values. */
export type MailingInput = Static<typeof NewPostMailing>
