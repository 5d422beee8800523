import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { formOf, framed, mainButton } from '#src/web/page/index.ts'

const text = texts.account.enroll.text

// What the person can do about it, by the code of the refusal.
const reasons: Readonly<Record<string, Phrase>> = texts.account.enroll.reasons

type EnrollView = {
  readonly school: School
  readonly language: Language
  readonly token: string
  readonly course: { readonly name: string; readonly slug: string }
  /** The code of the refusal of the enrollment, if it was refused. */
  readonly refusedFor: string | undefined
}

/** The page on which somebody confirms that they enroll in a free course. */
export const enrollPage = ({ school, language, token, course, refusedFor }: EnrollView): Reply => {
  const inside = html`<input type="hidden" name="course" value="${course.slug}">
${mainButton(fill(text.button, language))}`
  return framed({
    ...{ language, school },
    title: fill(text.title, language, { course: course.name }),
    ...(refusedFor === undefined
      ? {}
      : { notice: { kind: 'refused', text: fill(reasons[refusedFor] ?? text.refused, language) }, status: 409 }),
    body: html`<p>${fill(text.intro, language)}</p>
${formOf(`/account/enroll?${new URLSearchParams({ course: course.slug })}`, token, inside)}
<p class="quiet"><a href="/courses/${course.slug}">${fill(text.back, language)}</a></p>`,
  })
}
