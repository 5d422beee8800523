import { randomUUID } from 'node:crypto'
import { Lecturer } from '#src/areas/courses/index.ts'
import { Member } from '#src/areas/people/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, notFound } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import {
  type FormFile,
  type FormWithFiles,
  fileForm,
  form,
  formKeyIn,
  page,
  revisionIn,
  shownAgain,
} from '#src/web/page/index.ts'
import { courseTeachers, type StaffContext, staff } from '../../audience.ts'
import { storeFile } from '../../files/uploads/index.ts'
import type { StaffSection } from '../../section.ts'
import { blankLecturer, formOfLecturer, type LecturerShown, profileIn } from './lecturer-form.ts'
import { lecturerPage } from './lecturer-page.ts'

const PATH = '/staff/lecturers'

const paramsOf = ({ request }: StaffContext) => ({ lecturer_id: request.params.id ?? '' })

// Profiles are public; whoever may not change one sees it on the site alone.
const getLecturer = async (context: StaffContext): Promise<LecturerShown> => {
  const lecturer = await context.call({ operation: 'getLecturer', params: paramsOf(context), returns: Lecturer })
  if (lecturer.allowed_actions?.includes('updateLecturer') !== true)
    throw new Refusal(notFound, 'There is no such lecturer.')
  return lecturer
}

const emailOf = async (context: StaffContext, { member_id: id }: LecturerShown): Promise<string> => {
  if (id == null || !context.isStaff) return ''
  const call = { operation: 'getMember', params: { member_id: id }, returns: Member }
  return (await context.call(call)).email
}

type Again = { readonly form: Pairs; readonly refusal: Refusal }

const showNew = async (context: StaffContext, again?: Again): Promise<Reply> => {
  const typed = again?.form ?? blankLecturer
  return lecturerPage({ context, lecturer: undefined, typed, refusal: again?.refusal, formKey: randomUUID() })
}

const show = async (context: StaffContext, again?: Again): Promise<Reply> => {
  const lecturer = await getLecturer(context)
  const isTyped = again !== undefined && formField(again.form, 'act') === 'save'
  const typed = isTyped ? again.form : formOfLecturer(lecturer, await emailOf(context, lecturer))
  return lecturerPage({ context, lecturer, typed, refusal: again?.refusal, formKey: '' })
}

const create = (context: StaffContext, form: Pairs): Promise<Reply> => {
  const work = async () => {
    const call = { operation: 'createLecturer', body: await profileIn(context, form), ...formKeyIn(form) }
    return `${PATH}/${(await context.call({ ...call, returns: Lecturer })).id}?done=created`
  }
  return shownAgain(work, refusal => showNew(context, { form, refusal }))
}

const change = (context: StaffContext, form: Pairs, body: object): Promise<undefined> =>
  context.call({ operation: 'updateLecturer', params: paramsOf(context), body, revision: revisionIn(form) })

const act = async (context: StaffContext, form: Pairs, file: FormFile | undefined): Promise<string> => {
  const own = `${PATH}/${paramsOf(context).lecturer_id}`
  switch (formField(form, 'act')) {
    case 'save':
      await change(context, form, await profileIn(context, form))
      return `${own}?done=saved`
    case 'picture': {
      const id = await storeFile(context.parts, context.person, file, 'avatar')
      await change(context, form, { avatar_file_id: id })
      return `${own}?done=saved#picture`
    }
    case 'remove_picture':
      await change(context, form, { avatar_file_id: null })
      return `${own}?done=saved#picture`
    case 'delete':
      await context.call({ operation: 'deleteLecturer', params: paramsOf(context), revision: revisionIn(form) })
      return `${PATH}?done=deleted`
    default:
      throw new Refusal(formRefused, 'The form has no valid action.')
  }
}

const submit = (context: StaffContext, { form, files }: FormWithFiles): Promise<Reply> =>
  shownAgain(
    () => act(context, form, files[0]),
    refusal => show(context, { form, refusal }),
  )

/** GET and POST /staff/lecturers/new and /staff/lecturers/:id: for staff, and a profile for the lecturer whose it is. */
export const lecturerDetails: StaffSection = {
  // The list of lecturers leads to them.
  entries: [],
  pages: [
    page(`GET ${PATH}/new`, staff, context => showNew(context)),
    form(`POST ${PATH}/new`, staff, create),
    page(`GET ${PATH}/:id`, courseTeachers, context => show(context)),
    fileForm(`POST ${PATH}/:id`, courseTeachers, submit),
  ],
}
