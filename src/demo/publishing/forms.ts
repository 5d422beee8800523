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

const answer = async (db: Db, schoolId: string, formId: string, now: Date): Promise<void> => {
  for (const [index, { version, answers }] of submissions.entries())
    await insertSubmission(db, schoolId, {
      // In this order in every list.
      id: newUuid(now.getTime() + index),
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
}

/** Adds a form with five answers in two versions to a school without forms. */
export const createDemoForms = (database: Database, schoolId: string): Promise<void> =>
  database.transaction(schoolId, async (db, now) => {
    if ((await countForms(db, schoolId)) > 0) return
    const formId = await addForm({ db, school: await getSchool(db, schoolId), now }, first)
    await storePublication(db, schoolId, formId)
    const content = pickContent(changedForm(newForm, second))
    await storeContent(db, schoolId, { id: newUuid(now.getTime()), formId, number: 2, content })
    await storePublication(db, schoolId, formId)
    await answer(db, schoolId, formId, now)
  })
