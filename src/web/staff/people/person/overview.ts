import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { doneIn, form, noticeFor, page, readDone, shownAgain } from '#src/web/page/index.ts'
import { courseTeachers, type StaffContext, staff } from '../../audience.ts'
import { staffText } from '../../pages/text.ts'
import { readActivity } from './activity.ts'
import { accessCard, coursesCard, readEnrollments } from './courses.ts'
import { factsCard } from './details.ts'
import { framePerson } from './frame.ts'
import { showStudent } from './lecturer.ts'
import { callForNote, notesCard, readNotes } from './notes.ts'
import { purchasesCard, readPurchases } from './orders.ts'
import { type Person, personPath, readPerson } from './read.ts'
import { timeline } from './timeline.ts'

const text = texts.staff.personPage

// Three at a time: a process has few connections.
const readOverview = async (context: StaffContext, person: Person) => {
  const [enrollments, purchases] = await Promise.all([
    readEnrollments(context, person.id, 10),
    readPurchases(context, person.id, 5),
  ])
  const [access, notes, activity] = await Promise.all([
    accessCard(enrollments.data, person, context),
    readNotes(context, person.id),
    readActivity(context, person.id, 6),
  ])
  return { enrollments: enrollments.data, purchases, access, notes: notes.data, activity: activity.data }
}

const show = async (context: StaffContext, typed: Pairs = [], refusal?: Refusal): Promise<Reply> => {
  const { t, language, request } = context
  const person = await readPerson(context)
  const { enrollments, purchases, access, notes, activity } = await readOverview(context, person)
  const said = { ...staffText.refusals, ...text.refusals }
  const outcome =
    refusal === undefined
      ? { notice: doneIn({ ...staffText.person.done, ...text.done }, readDone(request), language) }
      : noticeFor(refusal, language, { said })
  return framePerson(context, person, '', {
    ...outcome,
    body: html`<div class="split"><div class="stack">${coursesCard(enrollments, person, context)}${access}${purchasesCard(purchases, person, context)}</div>
<div class="stack">${notesCard(notes, typed, context)}<section class="card">
<header><h2>${t(text.tabs.activity)}</h2><a href="${personPath(person.id)}/activity">${t(texts.words.all)}</a></header>
${timeline(activity, context)}
</section>${await factsCard(person, context)}</div></div>`,
  })
}

/** GET and POST /staff/people/:id: what there is of a member, and notes about them; for lecturers what they may know of a student. */
export const overviewPart = [
  page('GET /staff/people/:id', courseTeachers, context => (context.isStaff ? show(context) : showStudent(context))),
  form('POST /staff/people/:id', staff, (context, typed) =>
    shownAgain(
      async () => {
        await context.call(callForNote(context, typed))
        return `${context.request.path}?done=${formField(typed, 'act')}#notes`
      },
      refusal => show(context, typed, refusal),
    ),
  ),
]
