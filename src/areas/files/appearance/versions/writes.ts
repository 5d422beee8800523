import { filesById } from '#src/areas/files/storage/index.ts'
import type { SchoolContext, TransactionContext } from '#src/contract/context.ts'
import { Refusal } from '#src/contract/problem.ts'
import { storeLook } from '#src/db/schools.ts'
import { newUuid } from '#src/kit/ids.ts'
import { computeContrasts } from '../contrast/rules.ts'
import { type DraftRow, lockDraft, storeDraft } from '../settings/queries.ts'
import { listFileIds, listFiles, withoutFiles } from '../settings/rules.ts'
import { type FileField, fileFields, type Settings } from '../settings/schema.ts'
import { checkedSettings } from '../settings/writes.ts'
import { findPublished, insertSheet, insertVersion } from './queries.ts'
import { baseSheet, buildLook, contrastTooLow, hashOfSheet, isWordmark, sheetPath, siteSheet } from './rules.ts'

const MAX_SHOWN = 20

/** Refuses colors that pages use together with too little contrast. */
export const checkContrast = ({ colors }: Settings): void => {
  const failed = computeContrasts(colors).filter(({ passes }) => !passes)
  const [first] = failed
  if (first === undefined) return
  const { scheme, foreground, background, ratio, required } = first
  throw new Refusal(
    contrastTooLow,
    `In the ${scheme} scheme, ${foreground} on ${background} has a contrast of ${ratio}:1; at least ${required}:1 is required.`,
    { members: { pairs: failed.slice(0, MAX_SHOWN).map(({ passes: _passes, ...pair }) => pair) } },
  )
}

/** Settings without the files that were deleted, and the fields that refer to those. */
export const withoutDeleted = async (
  { db, school }: SchoolContext,
  settings: Settings,
): Promise<{ readonly settings: Settings; readonly missing: readonly FileField[] }> => {
  const stored = await filesById(db, school.id, listFileIds(settings))
  const ids = listFiles(settings)
  const missing = fileFields.filter(field => {
    const id = ids[field]
    return id !== null && !stored.has(id)
  })
  return { settings: withoutFiles(settings, missing), missing }
}

const storeSheet = async ({ db, school }: SchoolContext, css: string): Promise<string> => {
  const hash = hashOfSheet(css)
  await insertSheet(db, school.id, hash, css)
  return hash
}

/** Publishes a locked draft as the version with this number; returns the id of its row. */
export const addVersion = async (
  context: TransactionContext,
  { settings, missing }: Pick<DraftRow, 'settings' | 'missing'>,
  number: number,
): Promise<string> => {
  const { db, school, now } = context
  const id = newUuid(now.getTime())
  const base = await storeSheet(context, baseSheet(settings))
  const sheet = await storeSheet(context, await siteSheet(settings))
  await insertVersion(db, school.id, { id, number, settings, missing, sheet, files: listFileIds(settings) })
  const { logo } = listFiles(settings)
  const files = await filesById(db, school.id, logo === null ? [] : [logo])
  const sheets = {
    styleSheet: sheetPath(base),
    siteStyleSheet: sheetPath(sheet),
    isWordmark: isWordmark(files.get(logo ?? '')),
  }
  await storeLook(db, school.id, buildLook(settings, sheets))
  return id
}

/** Replaces the draft and publishes it, unless `isDraft`; for demo data, whose settings pass every check. */
export const addAppearance = async (
  context: TransactionContext,
  change: Partial<Settings>,
  { isDraft = false } = {},
): Promise<void> => {
  const { db, school } = context
  const draft = await lockDraft(db, school.id)
  const settings = await checkedSettings(context, draft.settings, { ...draft.settings, ...change })
  const stored = await storeDraft(db, school.id, { settings, missing: [] })
  if (isDraft) return
  checkContrast(settings)
  await addVersion(context, stored, ((await findPublished(db, school.id))?.number ?? 0) + 1)
}
