import type { FactHandler } from '#src/contract/fact.ts'
import type { MailKind } from '#src/contract/mail.ts'
import { readReadingSettings, recordMail } from '#src/identity/index.ts'
import { formatTime } from '#src/kit/format.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { findImport } from './import/queries.ts'
import { importMails } from './mails.ts'

// Mails whoever started an import what became of it.
const mailStarter =
  (kind: MailKind): FactHandler<'import.completed' | 'import.stopped' | 'import.undone'> =>
  async ({ payload }, { db, school, now }) => {
    const id = fromId('imp', payload.import_id)
    const row = id === undefined ? undefined : await findImport(db, school.id, id)
    if (row === undefined || row.started_by === null) return
    const { notices: _, ...counts } = row.counts
    const numbers = { ...counts, handled: row.handled_count, rows: row.format?.rows ?? 0 }
    const { language, timeZone } = await readReadingSettings(db, school.id, row.started_by)
    const values = {
      file: row.file_name,
      until: row.undo_until === null ? '' : formatTime(row.undo_until, timeZone, language),
      ...Object.fromEntries(Object.entries(numbers).map(([name, number]) => [name, String(number)])),
    }
    const link = `/staff/imports/${toId('imp', row.id)}`
    await recordMail(db, school.id, row.started_by, { kind, values, link }, now)
  }

/** Mails the starter of an import after its end. */
export const subscribers = {
  'import.completed': mailStarter(importMails.import_completed),
  'import.stopped': mailStarter(importMails.import_stopped),
  'import.undone': mailStarter(importMails.import_undone),
} as const
