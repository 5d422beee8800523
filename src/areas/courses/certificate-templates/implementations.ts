import { filesPublic, usesOf } from '#src/areas/files/index.ts'
import { implement } from '#src/contract/hook.ts'
import { toId } from '#src/kit/ids.ts'
import { listTemplateImages } from './queries.ts'

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(usesOf, async ({ fileIds }, { db, school }) =>
    (await listTemplateImages(db, school.id, fileIds)).map(row => ({
      fileId: row.image_file_id,
      kind: 'certificate_template',
      id: toId('ctp', row.id),
      name: row.name,
    })),
  ),
  // Anybody with its serial number can see a certificate, so its image is public too.
  implement(filesPublic, async ({ fileIds }, { db, school }) => [
    ...new Set((await listTemplateImages(db, school.id, fileIds)).map(row => row.image_file_id)),
  ]),
]
