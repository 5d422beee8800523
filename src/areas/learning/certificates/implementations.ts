import { filesPublic, usesOf } from '#src/areas/files/index.ts'
import { certificatesDue, certificatesGiven } from '#src/areas/learning/progress/index.ts'
import { implement } from '#src/contract/hook.ts'
import { memberErasure, memberMerge, personalData } from '#src/contract/personal-data.ts'
import { toId } from '#src/kit/ids.ts'
import { courseLook } from './certificates/lookups.ts'
import {
  countWithoutCertificate,
  listCertificateImages,
  listGiven,
  moveCertificates,
  withdrawCertificates,
} from './certificates/queries.ts'
import { listMemberCertificates, type OwnCertificate } from './personal/queries.ts'

const certificateRow = ({ id, course_id, issued_at, revoked_at, ...rest }: OwnCertificate) => ({
  id: toId('crt', id),
  course_id: toId('crs', course_id),
  ...rest,
  issued_at: issued_at.toISOString(),
  revoked_at: revoked_at?.toISOString() ?? null,
})

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(usesOf, async ({ fileIds }, { db, school }) =>
    (await listCertificateImages(db, school.id, fileIds)).map(row => ({
      fileId: row.image_file_id,
      kind: 'certificate',
      id: toId('crt', row.id),
    })),
  ),
  // Anybody with its serial number can see a certificate, so its image is public too.
  implement(filesPublic, async ({ fileIds }, { db, school }) => [
    ...new Set((await listCertificateImages(db, school.id, fileIds)).map(row => row.image_file_id)),
  ]),
  implement(certificatesDue, async ({ courseId, memberIds }, { db, school }) =>
    (await courseLook({ db, school }, courseId)) === undefined
      ? 0
      : countWithoutCertificate(db, school.id, courseId, memberIds),
  ),
  implement(certificatesGiven, ({ pairs }, { db, school }) => listGiven(db, school.id, pairs)),
  implement(memberErasure, async ({ memberId }, { db, school }) => {
    await withdrawCertificates(db, school.id, memberId)
  }),
  implement(memberMerge, ({ fromId, intoId }, { db, school }) => moveCertificates(db, school.id, fromId, intoId)),
  implement(personalData, async ({ memberId }, { db, school }) => [
    { name: 'certificates', rows: (await listMemberCertificates(db, school.id, memberId)).map(certificateRow) },
  ]),
]
