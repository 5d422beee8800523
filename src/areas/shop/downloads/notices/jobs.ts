import { clockNow } from '#src/areas/learning/index.ts'
import type { Database, Db } from '#src/contract/db.ts'
import type { JobHandler } from '#src/contract/job.ts'
import { recordMail } from '#src/identity/index.ts'
import { productMails } from '../mails.ts'
import { deleteNotice, findNotice, listNotified, moveNotice } from './queries.ts'

/** The kind of job that mails the holders of a product about new versions. */
export const NOTICE_JOB = 'product_notice'

// So many mails are recorded in one transaction.
const MAX_MAILS = 200

type Part = { readonly product: string; readonly memberIds: readonly string[]; readonly isLast: boolean }

const send = async (db: Db, schoolId: string, id: string, { product, memberIds, isLast }: Part): Promise<void> => {
  const now = await clockNow(db)
  for (const memberId of memberIds)
    await recordMail(db, schoolId, memberId, { kind: productMails.product_file_replaced, values: { product } }, now)
  const last = memberIds.at(-1)
  if (isLast || last === undefined) await deleteNotice(db, schoolId, id)
  else await moveNotice(db, schoolId, id, last)
}

/** Mails the next holders of a product, in the transaction that settles the job, until all have the mail. */
export const createNotifying =
  (database: Database): JobHandler =>
  async ({ schoolId, id }) => {
    const part = await database.statements(schoolId, async (db): Promise<Part | undefined> => {
      const notice = await findNotice(db, schoolId, id)
      if (notice === undefined) return undefined
      const range = { after: notice.after_member_id, most: MAX_MAILS }
      const memberIds = await listNotified(db, schoolId, notice.product_id, range)
      return { product: notice.name, memberIds, isLast: memberIds.length < MAX_MAILS }
    })
    if (part === undefined) return { againIn: undefined, settle: db => deleteNotice(db, schoolId, id) }
    return { againIn: part.isLast ? undefined : 0, settle: db => send(db, schoolId, id, part) }
  }
