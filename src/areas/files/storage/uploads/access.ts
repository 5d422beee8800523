import type { SignedIn } from '#src/contract/caller.ts'
import type { Db } from '#src/contract/db.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { findOwn, type UploadRow } from './queries.ts'

/** A caller's own upload; refuses when there is none. */
export const getOwn = async (db: Db, school: School, caller: SignedIn, id: string): Promise<UploadRow> => {
  const row = await findOwn(db, school.id, caller.member.id, id)
  if (row === undefined) throw noUpload()
  return row
}

/** The refusal of an upload that is not there. */
export const noUpload = (): Refusal => new Refusal(notFound, 'You have no such upload.')
