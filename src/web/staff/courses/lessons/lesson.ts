import { AttachmentPage, ChangedLesson, LessonDrip, LessonVersionPage } from '#src/areas/courses/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type FormWithFiles, fileForm, page, shownAgain } from '#src/web/page/index.ts'
import { courseTeachers, type StaffContext } from '../../audience.ts'
import { textIn } from '../../forms/values.ts'
import type { StaffSection } from '../../section.ts'
import { getOutline } from '../courses/course.ts'
import { actOf } from './lesson-acts.ts'
import { lessonPage } from './lesson-page.ts'
import { type Place, placeOf } from './place.ts'
import type { Again } from './shown.ts'

const show = async (context: StaffContext, again?: Again, known?: Place): Promise<Reply> => {
  const { call } = context
  const place = known ?? (await placeOf(context))
  const params = { lesson_id: place.lesson.id }
  const [outline, attachments, drip, versions] = await Promise.all([
    getOutline(context, place.course.id),
    call({
      operation: 'listLessonAttachments',
      params,
      query: [['limit', '50']],
      returns: AttachmentPage,
    }),
    call({ operation: 'getLessonDrip', params, returns: LessonDrip }),
    call({
      operation: 'listLessonVersions',
      params,
      query: [['limit', '10']],
      returns: LessonVersionPage,
    }),
  ])
  return lessonPage(context, {
    ...{ place, outline, drip, again },
    attachments: attachments.data,
    versions: versions.data,
  })
}

// The text is shown by a dry run of the operation that would store it.
const preview = async (context: StaffContext, place: Place, form: Pairs): Promise<Reply> => {
  const { parts, person } = context
  const params = { lesson_id: place.lesson.id }
  const body = { body: textIn(form, 'body') }
  try {
    const call = { operation: 'updateLesson', params, body, dryRun: true, returns: ChangedLesson } as const
    const { result } = await parts.performAs(person, call)
    return show(context, { form, preview: result?.body_html ?? '' }, place)
  } catch (refusal) {
    if (!(refusal instanceof Refusal) || refusal.problem.status !== 422) throw refusal
    return show(context, { form, refusal }, place)
  }
}

const submit = async (context: StaffContext, sent: FormWithFiles): Promise<Reply> => {
  const { form } = sent
  const place = await placeOf(context)
  if (formField(form, 'act') === 'preview') return preview(context, place, form)
  const act = actOf(form)
  return shownAgain(
    () => act(context, place, sent),
    refusal => show(context, { form, refusal }),
  )
}

/** GET and POST /staff/courses/:course/lessons/:lesson: a lesson with its text, files, release and earlier versions. */
export const lessonEditor: StaffSection = {
  // The outline leads to each of them.
  entries: [],
  pages: [
    page('GET /staff/courses/:course/lessons/:lesson', courseTeachers, context => show(context)),
    fileForm('POST /staff/courses/:course/lessons/:lesson', courseTeachers, submit),
  ],
}
