import { area } from '#src/contract/area.ts'
import { createMailing, MAILING_JOB } from './jobs.ts'
import { postMails } from './mails.ts'
import { mailingOperations } from './operations.ts'

export { PostMailing } from './schema.ts'

/** The mailing of posts to members who agreed to news and offers, once for each post. */
export const postMailings = area({
  name: 'post-mailings',
  operations: mailingOperations,
  jobs: { [MAILING_JOB]: { create: ({ database }) => createMailing(database), atOnce: 1 } },
  mails: Object.values(postMails),
})
