import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FactHandler } from '#src/contract/fact.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Removes the files of an erased member's mails, where mails were written as files. */
export const onMemberErased =
  (folder: string): FactHandler =>
  async ({ payload }) => {
    const ids = Array.isArray(payload.mails) ? payload.mails.map(String).filter(id => UUID.test(id)) : []
    await Promise.all(ids.map(id => rm(join(folder, `${id}.eml`), { force: true })))
  }
