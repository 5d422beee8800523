import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FactHandler } from '#src/contract/fact.ts'
import { isUuid } from '#src/kit/ids.ts'

/** Removes the files of an erased member's mails, where mails were written as files. */
export const onMailsDeleted =
  (folder: string): FactHandler<'mail.deleted'> =>
  async ({ payload }) => {
    await Promise.all(payload.row_ids.filter(isUuid).map(id => rm(join(folder, `${id}.eml`), { force: true })))
  }
