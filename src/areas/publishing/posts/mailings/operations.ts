import type { Static } from 'typebox'
import { fillEach } from '#src/contract/language.ts'
import { declareFor } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState, refuseInvalid } from '#src/contract/problems.ts'
import { putJob } from '#src/db/jobs.ts'
import { toId } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'
import { lockPost } from '../post/access.ts'
import { postExamples } from '../post/operations.ts'
import type { PostRow } from '../post/queries.ts'
import { PostRef } from '../post/schema.ts'
import { storeMailed } from '../status/mailed.queries.ts'
import { MAILING_JOB } from './jobs.ts'
import { countRecipients, findMailing, insertMailing, type MailingRow } from './queries.ts'
import { buildAudience, errorsOfAudience, isSameAudience, postAlreadyMailed } from './rules.ts'
import { NewPostMailing, PostMailing } from './schema.ts'

const mailingView = (row: MailingRow, recipients: number): Static<typeof PostMailing> => ({
  post_id: row.post_id,
  audience: row.audience,
  plan_ids: [...row.plan_ids],
  tags: [...row.tags],
  at: row.due_at,
  recipient_count: recipients,
})

// A mail leads to the post.
const checkIsPublic = ({ status }: PostRow): void => {
  if (status !== 'published') throw new Refusal(invalidState, `The post is ${status}; publish it first.`)
}

const mailPost = declareFor('staff', 'posts', {
  id: 'mailPost',
  route: 'PUT /posts/:post_id/mailing',
  summary: 'Mail a post to members',
  description:
    'Mails the title, the excerpt and the address of a published post, now or at the instant in `at`. A post is mailed once, and mails cannot be taken back; if it is no longer published at that instant, nothing is mailed and it can be mailed later. The mails go to active members who agreed to news and offers; the agreement is checked again when each mail is sent. `dry_run` returns how many members that would be.',
  confirm: 'person',
  params: PostRef,
  body: NewPostMailing,
  returns: PostMailing,
  fails: [invalidState, postAlreadyMailed],
  example: { params: postExamples.starter, body: { audience: 'all' } },
  async handle(context) {
    const { db, school, params, body, now, changed, record, waiveConfirmation } = context
    const row = await lockPost(context, params.post_id)
    const audience = buildAudience(body)
    refuseInvalid(errorsOfAudience(audience))
    const before = await findMailing(db, school.id, row.id)
    if (before !== undefined) {
      if (!isSameAudience(before, audience)) throw new Refusal(postAlreadyMailed, 'The post has been mailed.')
      waiveConfirmation()
      return mailingView(before, await countRecipients(db, school.id, before))
    }
    const { at = now } = body
    if (at < now) refuseInvalid([{ pointer: '/at', code: 'past', message: 'is over already' }])
    checkIsPublic(row)
    const recipients = await countRecipients(db, school.id, audience)
    const stored = await insertMailing(db, school.id, row.id, { ...audience, dueAt: at })
    await putJob(db, school.id, { kind: MAILING_JOB, id: row.id, dueAt: at })
    const { revision } = await storeMailed(db, school.id, row.id, at)
    const post = toId('pst', row.id)
    changed({ ids: [post], fields: ['mailed_at'], revision })
    record({
      type: 'post.mailed',
      payload: { post_id: post, audience: audience.audience, recipient_count: recipients },
      effects: {
        mail: fillEach(texts.publishing.posts.mailings.operations.mailed, { n: recipients }),
      },
    })
    return mailingView(stored, recipients)
  },
})

/** The operations of mailings. */
export const mailingOperations = [mailPost]
