import { randomUUID } from 'node:crypto'
import { Lecturer } from '#src/areas/courses/index.ts'
import { Member } from '#src/areas/people/index.ts'
import { endpoint, type Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, notFound } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import type { FormFile, FormWithFiles } from '#src/web/page/index.ts'
import { storeFile } from '../../files/uploads/index.ts'
import { formKeyIn, revisionOf } from '../../form-fields.ts'
import type { StaffSection } from '../../section.ts'
import { perform, shownAgain, staffForm, staffPage, type Visit } from '../../visit.ts'
import { posted, visited } from '../courses/visit.ts'
import { blankLecturer, formOfLecturer, type LecturerShown, profileIn } from './lecturer-form.ts'
import { lecturerPage } from './lecturer-page.ts'

const PATH = '/staff/lecturers'

const paramsOf = ({ request }: Visit) => ({ lecturer_id: request.params.id ?? '' })

// Profiles are public; whoever may not change one sees it on the site alone.
const getLecturer = async (visit: Visit): Promise<LecturerShown> => {
  const lecturer = await perform(visit, { operation: 'getLecturer', params: paramsOf(visit), returns: Lecturer })
  if (lecturer.allowed_actions?.includes('updateLecturer') !== true)
    throw new Refusal(notFound, 'There is no such lecturer.')
  return lecturer
}

const emailOf = async (visit: Visit, { member_id: id }: LecturerShown): Promise<string> => {
  if (id == null || !visit.isStaff) return ''
  const call = { operation: 'getMember', params: { member_id: id }, returns: Member }
  return (await perform(visit, call)).email
}

type Again = { readonly form: Pairs; readonly refusal: Refusal }

const showNew = async (visit: Visit, again?: Again): Promise<Reply> => {
  const typed = again?.form ?? blankLecturer
  return lecturerPage({ visit, lecturer: undefined, typed, refusal: again?.refusal, formKey: randomUUID() })
}

const show = async (visit: Visit, again?: Again): Promise<Reply> => {
  const lecturer = await getLecturer(visit)
  const isTyped = again !== undefined && formField(again.form, 'act') === 'save'
  const typed = isTyped ? again.form : formOfLecturer(lecturer, await emailOf(visit, lecturer))
  return lecturerPage({ visit, lecturer, typed, refusal: again?.refusal, formKey: '' })
}

const create = (visit: Visit, form: Pairs): Promise<Reply> => {
  const work = async () => {
    const call = { operation: 'createLecturer', body: await profileIn(visit, form), ...formKeyIn(form) }
    return `${PATH}/${(await perform(visit, { ...call, returns: Lecturer })).id}?done=created`
  }
  return shownAgain(work, refusal => showNew(visit, { form, refusal }))
}

const change = (visit: Visit, form: Pairs, body: object): Promise<undefined> =>
  perform(visit, { operation: 'updateLecturer', params: paramsOf(visit), body, revision: revisionOf(form) })

const act = async (visit: Visit, form: Pairs, file: FormFile | undefined): Promise<string> => {
  const own = `${PATH}/${paramsOf(visit).lecturer_id}`
  switch (formField(form, 'act')) {
    case 'save':
      await change(visit, form, await profileIn(visit, form))
      return `${own}?done=saved`
    case 'picture': {
      const id = await storeFile(visit.parts, visit.person, file, 'avatar')
      await change(visit, form, { avatar_file_id: id })
      return `${own}?done=saved#picture`
    }
    case 'remove_picture':
      await change(visit, form, { avatar_file_id: null })
      return `${own}?done=saved#picture`
    case 'delete':
      await perform(visit, { operation: 'deleteLecturer', params: paramsOf(visit), revision: revisionOf(form) })
      return `${PATH}?done=deleted`
    default:
      throw new Refusal(formRefused, 'The form has no valid action.')
  }
}

const submit = (visit: Visit, { form, files }: FormWithFiles): Promise<Reply> =>
  shownAgain(
    () => act(visit, form, files[0]),
    refusal => show(visit, { form, refusal }),
  )

/** GET and POST /staff/lecturers/new and /staff/lecturers/:id: for staff, and a profile for the lecturer whose it is. */
export const lecturerDetails: StaffSection = {
  // The list of lecturers leads to them.
  entries: [],
  endpoints: parts => [
    staffPage(`GET ${PATH}/new`, parts, visit => showNew(visit)),
    staffForm(`POST ${PATH}/new`, parts, create),
    endpoint({ route: `GET ${PATH}/:id`, handle: visited(parts, visit => show(visit)) }),
    endpoint({ route: `POST ${PATH}/:id`, handle: posted(parts, submit) }),
  ],
}
