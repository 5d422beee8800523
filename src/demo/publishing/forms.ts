import {
  addForm,
  changedForm,
  countForms,
  insertSubmission,
  type NewForm,
  newForm,
  pickContent,
  type StoredAnswer,
  storeContent,
  storePublication,
} from '#src/areas/publishing/index.ts'
import type { Database, Db } from '#src/contract/db.ts'
import { getSchool } from '#src/db/schools.ts'
import { newUuid } from '#src/kit/ids.ts'
import { backdate, DAY } from '../clock.ts'

const email = { id: 'email', type: 'email', label: 'Your e-mail address', required: true } as const

const topic = {
  id: 'topic',
  type: 'choice',
  label: 'What is it about?',
  required: true,
  options: [
    { id: 'course', label: 'A course' },
    { id: 'visit', label: 'A visit to the bakery' },
  ],
} as const

const first: NewForm = {
  title: 'Ask the bakery',
  slug: 'ask-the-bakery',
  intro: 'We answer within two days, except when the oven needs us.',
  done_text: 'Thank you. A baker will write to you.',
  retention_days: 365,
  fields: [email, { ...topic, options: [...topic.options] }],
}

const second: NewForm = {
  ...first,
  fields: [
    email,
    { ...topic, options: [...topic.options] },
    { id: 'day', type: 'date', label: 'When would you like to come?', show_if: { field_id: 'topic', is: 'visit' } },
    { id: 'message', type: 'long_text', label: 'Your question', max: 2000 },
    { id: 'photo', type: 'file', label: 'A picture of your loaf', max: 10 },
    { id: 'news', type: 'consent', label: 'Send me the news of the bakery by e-mail.' },
  ],
}

const buildAnswers = (address: string, about: string, message?: string): readonly StoredAnswer[] => [
  { field_id: 'email', type: 'email', value: address },
  { field_id: 'topic', type: 'choice', value: about },
  ...(message === undefined ? [] : [{ field_id: 'message', type: 'long_text', value: message } as const]),
]

const submissions = [
  { version: 1, answers: buildAnswers('ines@example.com', 'course') },
  { version: 1, answers: buildAnswers('rui@example.com', 'visit') },
  { version: 2, answers: buildAnswers('marta@example.com', 'course', 'Does rye need a longer proof?') },
  { version: 2, answers: buildAnswers('tomas@example.com', 'visit', 'Can we come with eight children?') },
  { version: 2, answers: buildAnswers('ana@example.com', 'course', 'My crust is pale. What do I change?') },
]

// In the demo for people, weeks before those.
const earlier = [
  { days: 81, answers: buildAnswers('joana@example.com', 'visit', 'Podemos ver o forno num sábado?') },
  { days: 70, answers: buildAnswers('tim@example.com', 'course', 'Is a gas oven good enough for baguettes?') },
  { days: 58, answers: buildAnswers('lucie@example.com', 'course', 'Est-ce que le cours existe aussi en français ?') },
  { days: 49, answers: buildAnswers('sven@example.com', 'visit', 'We are four, and one of us is two years old.') },
  { days: 37, answers: buildAnswers('carmen@example.com', 'course', '¿Puedo usar harina de espelta?') },
  { days: 28, answers: buildAnswers('paulo@example.com', 'course', 'A broa pode levar só milho?') },
  { days: 19, answers: buildAnswers('greta@example.com', 'visit', 'Kann man bei Ihnen auch übernachten?') },
  { days: 9, answers: buildAnswers('noor@example.com', 'course', 'How long may the dough stay in the fridge?') },
]

type Answered = { readonly version: number; readonly answers: readonly StoredAnswer[]; readonly now: Date }

const answer = (db: Db, schoolId: string, formId: string, { version, answers, now }: Answered): Promise<unknown> =>
  insertSubmission(db, schoolId, {
    id: newUuid(now.getTime()),
    form_id: formId,
    form_version: version,
    answers,
    now,
    member_id: null,
    tokenHash: undefined,
    status: 'received',
    source_page: null,
    source_campaign: null,
  })

/** Adds a form with five answers in two versions to a school without forms; `isShown` adds some from the weeks before. */
export const createDemoForms = (database: Database, schoolId: string, isShown: boolean): Promise<void> =>
  database.transaction(schoolId, async (db, now) => {
    if ((await countForms(db, schoolId)) > 0) return
    const formId = await addForm({ db, school: await getSchool(db, schoolId), now }, first)
    await storePublication(db, schoolId, formId)
    const content = pickContent(changedForm(newForm, second))
    await storeContent(db, schoolId, { id: newUuid(now.getTime()), formId, number: 2, content })
    await storePublication(db, schoolId, formId)
    for (const { days, answers } of isShown ? earlier : []) {
      const then = await backdate({ db, now }, days * DAY)
      await answer(then.db, schoolId, formId, { version: 2, answers, now: then.now })
    }
    // In this order in every list.
    for (const [index, one] of submissions.entries())
      await answer(db, schoolId, formId, { ...one, now: new Date(now.getTime() + index) })
  })
