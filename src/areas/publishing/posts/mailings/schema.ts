import Type, { type Static } from 'typebox'
import { Tag } from '#src/contract/listing.ts'
import { Closed, Id, Instant, OneOf } from '#src/kit/shapes.ts'

const audiences = ['all', 'plans', 'tags'] as const

const audience = OneOf(
  audiences,
  'Among the members who agreed to news and offers: all, holders of one of some plans, or those with one of some tags',
)

const planIds = Type.Array(Id('mpl'), { maxItems: 20, uniqueItems: true, description: 'The plans, for `plans`' })
const tags = Type.Array(Tag, { maxItems: 20, uniqueItems: true, description: 'The tags of members, for `tags`' })

/** To whom a post is mailed, and when. */
export const NewPostMailing = Closed(
  'NewPostMailing',
  { audience, plan_ids: Type.Optional(planIds), tags: Type.Optional(tags), at: Type.Optional(Instant) },
  'Without an instant the mails are sent now',
)

/** The mailing of a post. */
export const PostMailing = Closed('PostMailing', {
  post_id: Id('pst'),
  audience,
  plan_ids: planIds,
  tags,
  at: Instant,
  recipient_count: Type.Integer({
    minimum: 0,
    description: 'How many members would get it now; who withdraws their consent before it is sent does not',
  }),
})

/** The input of a mailing, as values. */
export type MailingInput = Static<typeof NewPostMailing>
