import { type Endpoint, endpoint, type Reply } from '#src/contract/endpoint.ts'
import type { Pairs } from '#src/kit/form.ts'
import { type FormFile, isReply, personOf } from '#src/web/account/index.ts'
import { staffOf } from '../page-request.ts'
import type { StaffPagesParts } from '../parts.ts'
import { withStaffFiles } from '../uploads/index.ts'
import { answer, type StaffVisit, shownTo, type Visit, visitOf } from './visit.ts'

/** A form for staff with a file, which is undefined where none was chosen; its token is checked before the file is stored. */
export const staffFileForm = (
  route: `POST /staff/${string}`,
  parts: StaffPagesParts,
  submit: (visit: StaffVisit, form: Pairs, file: FormFile | undefined) => Promise<Reply>,
): Endpoint =>
  endpoint({
    route,
    async handle(request) {
      const session = await staffOf(request)
      if (isReply(session)) return session
      return withStaffFiles(request, parts, session, async ({ form, files }) => {
        const visit = await visitOf(request, parts, session)
        return answer(visit, () => submit(visit, form, files[0]))
      })
    },
  })

/** A form with files for everybody who teaches, and for staff. */
export const teachingFileForm = (
  route: `POST /staff/${string}`,
  parts: StaffPagesParts,
  submit: (visit: Visit, form: Pairs, files: readonly FormFile[]) => Promise<Reply>,
): Endpoint =>
  endpoint({
    route,
    async handle(request) {
      const session = await personOf(request)
      if (isReply(session)) return session
      return withStaffFiles(request, parts, session, async ({ form, files }) =>
        shownTo(await visitOf(request, parts, session), visit => submit(visit, form, files)),
      )
    },
  })
