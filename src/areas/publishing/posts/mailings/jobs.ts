import { clockNow } from '#src/areas/learning/index.ts'
import type { Database, Db } from '#src/contract/db.ts'
import type { JobHandler } from '#src/contract/job.ts'
import { recordMail } from '#src/identity/index.ts'
import { findMailedPost, storeMailed } from '../status/mailed.queries.ts'
import { postMails } from './mails.ts'
import { dropMailing, findMailing, listRecipients, moveMailing } from './queries.ts'

/** The kind of job that mails a post. */
export const MAILING_JOB = 'mailing'

// So many mails are recorded in one transaction.
const MAX_MAILS = 200

type Part = { readonly memberIds: readonly string[]; readonly isLast: boolean }

// Who has the mail has it; a post that was taken back before the first mail can be mailed later.
const forget = async (db: Db, schoolId: string, id: string): Promise<void> => {
  if ((await dropMailing(db, schoolId, id)) > 0) await storeMailed(db, schoolId, id, null)
}

// What the mail says is read in the transaction that records it: the post may have changed since.
const send = async (db: Db, schoolId: string, id: string, { memberIds, isLast }: Part): Promise<void> => {
  const post = await findMailedPost(db, schoolId, id)
  if (post === undefined) return forget(db, schoolId, id)
  const now = await clockNow(db)
  const { title, excerpt, slug } = post
  const mail = { kind: postMails.post_mailing, values: { title, excerpt }, link: `/blog/${slug}` }
  for (const memberId of memberIds) await recordMail(db, schoolId, memberId, mail, now)
  await moveMailing(db, schoolId, id, { after: memberIds.at(-1) ?? null, recorded: memberIds.length, isLast })
}

/** Mails a post to the next members of its audience, in the transaction that settles the job, until all have the mail. */
export const createMailing =
  (database: Database): JobHandler =>
  async ({ schoolId, id }) => {
    const part = await database.statements(schoolId, async (db): Promise<Part | undefined> => {
      const mailing = await findMailing(db, schoolId, id)
      if (mailing === undefined || (await findMailedPost(db, schoolId, id)) === undefined) return undefined
      const memberIds = await listRecipients(db, schoolId, mailing, { after: mailing.after_id, most: MAX_MAILS })
      return { memberIds, isLast: memberIds.length < MAX_MAILS }
    })
    if (part === undefined) return { againIn: undefined, settle: db => forget(db, schoolId, id) }
    return { againIn: part.isLast ? undefined : 0, settle: db => send(db, schoolId, id, part) }
  }
