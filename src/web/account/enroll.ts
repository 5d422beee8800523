import type { Static } from 'typebox'
import { Course } from '#src/areas/courses/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { form, hidden, mainButton, noticeFor, page, shownAgain } from '#src/web/page/index.ts'
import { type AccountContext, owner } from './parts.ts'

const { reasons, text } = texts.account.enroll

const PATH = '/account/enroll'

const readCourse = ({ call }: AccountContext, slug: string) =>
  call({ operation: 'getCourse', params: { course_id: `slug:${slug}` }, expand: ['prices'], returns: Course })

const show = (context: AccountContext, course: Encoded<Static<typeof Course>>, refusal?: Refusal): Reply => {
  const { t, form, frame, language } = context
  const { name, slug } = course
  const inside = html`${hidden({ course: slug })}${mainButton(t(text.button))}`
  return frame({
    title: t(text.title, { course: name }),
    ...noticeFor(refusal, language, { said: { ...reasons, other: text.refused } }),
    body: html`<p>${t(text.intro)}</p>
${form(inside, `${PATH}?${new URLSearchParams({ course: slug })}`)}
<p class="quiet"><a href="/courses/${slug}">${t(texts.words.backToCourse)}</a></p>`,
  })
}

/** GET and POST /account/enroll: somebody enrolls in a free course. */
export const enrollPages = [
  page(`GET ${PATH}`, owner, async context =>
    show(context, await readCourse(context, context.query.get('course') ?? '')),
  ),
  form(`POST ${PATH}`, owner, async (context, typed) => {
    const course = await readCourse(context, formField(typed, 'course'))
    return shownAgain(
      async () => {
        await context.call({ operation: 'createAccountEnrollment', body: { course_id: course.id } })
        return `/learn/${course.slug}?done=enrolled`
      },
      async refusal => show(context, course, refusal),
    )
  }),
]
