import { type FieldError, problem } from '#src/contract/problem.ts'
import { cleanTags } from '#src/kit/text.ts'
import type { Audience } from './queries.ts'
import type { MailingInput } from './schema.ts'

/** The post has been mailed. */
export const postAlreadyMailed = problem(
  409,
  'post_already_mailed',
  'The post has been mailed',
  'A post is mailed once, and mails cannot be taken back. `mailed_at` of the post says when it was or will be mailed. Mail another post instead.',
)

/** The audience of a request. */
export const buildAudience = ({ audience, plan_ids: planIds = [], tags = [] }: MailingInput): Audience => ({
  audience,
  plan_ids: planIds.toSorted(),
  tags: cleanTags(tags),
})

/** The errors of an audience: what it names must be there, and nothing else. */
export const errorsOfAudience = ({ audience, plan_ids: planIds, tags }: Audience): FieldError[] => [
  ...(audience === 'plans' && planIds.length === 0
    ? [{ pointer: '/plan_ids', code: 'missing', message: 'is required with the audience plans' }]
    : []),
  ...(audience === 'tags' && tags.length === 0
    ? [{ pointer: '/tags', code: 'missing', message: 'is required with the audience tags' }]
    : []),
  ...(audience !== 'plans' && planIds.length > 0
    ? [{ pointer: '/plan_ids', code: 'audience', message: 'goes with the audience plans alone' }]
    : []),
  ...(audience !== 'tags' && tags.length > 0
    ? [{ pointer: '/tags', code: 'audience', message: 'goes with the audience tags alone' }]
    : []),
]

/** Whether two audiences are the same. */
export const isSameAudience = (one: Audience, other: Audience): boolean =>
  one.audience === other.audience &&
  one.plan_ids.join() === other.plan_ids.join() &&
  JSON.stringify(one.tags) === JSON.stringify(other.tags)
