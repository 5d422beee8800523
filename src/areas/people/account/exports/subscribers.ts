import type { FactHandler } from '#src/contract/fact.ts'
import { readReadingSettings, recordMail } from '#src/identity/index.ts'
import { formatTime } from '#src/kit/format.ts'
import { fromId } from '#src/kit/ids.ts'
import { accountMails } from '../mails.ts'
import { findExport } from './queries.ts'

/** Mails the person that their export is ready. */
export const onExportReady: FactHandler<'account.export_ready'> = async ({ payload }, { db, school, now }) => {
  const row = await findExport(db, school.id, fromId('exp', payload.export_id))
  if (row === undefined || row.expires_at === null) return
  const { language, timeZone } = await readReadingSettings(db, school.id, row.member_id)
  const values = { until: formatTime(row.expires_at, timeZone, language) }
  await recordMail(db, school.id, row.member_id, { kind: accountMails.export_ready, values }, now)
}
