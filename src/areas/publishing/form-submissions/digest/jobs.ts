import { takeDigest } from '#src/areas/publishing/forms/index.ts'
import type { Db } from '#src/contract/db.ts'
import type { JobHandler } from '#src/contract/job.ts'
import { recordMail } from '#src/identity/index.ts'
import { toId } from '#src/kit/ids.ts'
import { formMails } from './mails.ts'

const report = async (db: Db, schoolId: string, formId: string): Promise<void> => {
  const digest = await takeDigest(db, schoolId, formId)
  if (digest === undefined) return
  const { title, received, suspected, notify, now } = digest
  const values = { title, count: String(received + suspected), suspected: String(suspected) }
  const link = `/staff/forms/${toId('frm', formId)}/submissions`
  for (const id of notify) await recordMail(db, schoolId, id, { kind: formMails.form_submissions, values, link }, now)
}

/** Tells the members whom a form names how many submissions came since the last mail. */
export const createDigest =
  (): JobHandler =>
  async ({ schoolId, id }) => ({ againIn: undefined, settle: db => report(db, schoolId, id) })
