import { useFile } from '#src/areas/files/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { newUuid } from '#src/kit/ids.ts'
import { arrangeFiles, insertFiles, insertVersions, isShown, listFileRows, type NewVersion } from './queries.ts'
import { errorsOfFiles, type PlannedFile, planFiles } from './rules.ts'
import type { FilesInput } from './schema.ts'

// A file that is public as an image or a sample cannot be sold.
const takeSoldFile = async (
  context: TransactionContext,
  { id, pointer }: { readonly id: string; readonly pointer: string },
) => {
  await useFile(context, { id, pointer, purposes: ['product'] })
  if (await isShown(context.db, context.school.id, id))
    refuseInvalid([{ pointer, code: 'public', message: 'is the image or the sample of a product' }])
}

const buildVersions = (plan: readonly (PlannedFile & { readonly id: string })[], now: Date): NewVersion[] =>
  plan.flatMap(({ id, upload }) =>
    upload === undefined
      ? []
      : [{ id: newUuid(now.getTime()), fileId: id, version: upload.version, uploadId: upload.id }],
  )

/** The result of a change of the files of a product: whether anything changed, and which files have a new version. */
type FilesChange = { readonly isChanged: boolean; readonly replaced: readonly NewVersion[] }

/** Stores all files of a locked product, in their order. */
export const storeFiles = async (
  context: TransactionContext,
  productId: string,
  input: FilesInput,
): Promise<FilesChange> => {
  const { db, school, now } = context
  const current = await listFileRows(db, school.id, [productId])
  refuseInvalid(errorsOfFiles(input, current))
  const planned = planFiles(input, current)
  for (const { upload } of planned) if (upload !== undefined) await takeSoldFile(context, upload)
  // A millisecond apart, so that new files have the order of the list.
  const plan = planned.map((file, index) => ({ ...file, id: file.id ?? newUuid(now.getTime() + index) }))
  const isNew = ({ id }: { readonly id: string }): boolean => !current.some(one => one.id === id)
  const versions = buildVersions(plan, now)
  const ids = plan.map(({ id }) => id)
  if (versions.length === 0 && JSON.stringify(ids) === JSON.stringify(current.map(({ id }) => id)))
    return { isChanged: false, replaced: [] }
  await insertFiles(
    db,
    school.id,
    productId,
    plan.filter(isNew).map(({ id }) => id),
  )
  await insertVersions(db, school.id, versions)
  await arrangeFiles(db, school.id, productId, ids)
  return { isChanged: true, replaced: versions.filter(({ version }) => version > 1) }
}

/** Gives a copy of a product the current files of the original. */
export const copyFiles = async (context: TransactionContext, fromId: string, intoId: string): Promise<void> => {
  const current = await listFileRows(context.db, context.school.id, [fromId])
  await storeFiles(context, intoId, { files: current.map(({ upload_id: id }) => ({ file_id: id })) })
}
