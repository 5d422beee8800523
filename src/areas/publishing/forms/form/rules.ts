import { problem } from '#src/contract/problem.ts'
import { merged, picked } from '#src/kit/patch.ts'
import { cleanLine, cleanTags } from '#src/kit/text.ts'
import { completedField } from '../fields/rules.ts'
import type { FormContent, FormLineRow, FormValues } from './queries.ts'
import type { FormInput } from './schema.ts'

/** The form cannot be published as it is. */
export const formIncomplete = problem(
  409,
  'form_incomplete',
  'The form cannot be published',
  'A form needs a field that people can answer before it is published, and its closes_at must not have passed.',
)

/** The school has too many forms. */
export const tooManyForms = problem(
  409,
  'too_many_forms',
  'Too many forms',
  'A school has at most 500 forms. Delete those that are not needed.',
)

/** How many forms a school has at most. */
export const MAX_FORMS = 500

const CONTENT = ['title', 'intro', 'fields', 'submit_label', 'done_text', 'redirect_path', 'on_submit'] as const

/** The content of a form's values. */
export const pickContent = (values: FormContent): FormContent => picked(values, CONTENT)

/** Whether a change of these fields is one of the content, which makes a new version. */
export const isContent = (fields: readonly string[]): boolean => CONTENT.some(name => fields.includes(name))

const buildOnSubmit = (on_submit: NonNullable<FormInput['on_submit']>): FormContent['on_submit'] => ({
  tag: on_submit.tag === null ? null : (cleanTags([on_submit.tag])[0] ?? null),
  group_id: on_submit.group_id,
  marketing_consent_field: on_submit.marketing_consent_field,
})

/** The values of a new form before anything was entered. */
export const newForm: FormValues = {
  title: '',
  intro: '',
  fields: [],
  submit_label: '',
  done_text: '',
  redirect_path: null,
  on_submit: { tag: null, group_id: null, marketing_consent_field: null },
  slug: '',
  opens_at: null,
  closes_at: null,
  max_submissions: null,
  one_per_member: false,
  needs_sign_in: false,
  notify: [],
  retention_days: 365,
}

/** The values of a form after a change; a form that takes one submission of each member needs a sign-in. */
export const changedForm = (
  before: FormValues,
  { title, fields, on_submit, submit_label, ...input }: FormInput,
): FormValues => {
  const values = merged(before, {
    ...input,
    ...(title === undefined ? {} : { title: cleanLine(title, 200) }),
    ...(submit_label === undefined ? {} : { submit_label: cleanLine(submit_label, 60) }),
    ...(fields === undefined ? {} : { fields: fields.map(completedField) }),
    ...(on_submit === undefined ? {} : { on_submit: buildOnSubmit(on_submit) }),
  })
  return { ...values, needs_sign_in: values.needs_sign_in || values.one_per_member }
}

/** Whether a form takes answers at an instant, with so many submissions that are not spam. */
export const computeState = (
  form: Pick<FormLineRow, 'status' | 'opens_at' | 'closes_at' | 'max_submissions'>,
  taken: number,
  at: Date,
): 'draft' | 'not_open_yet' | 'open' | 'full' | 'closed' => {
  if (form.status !== 'published') return form.status
  if (form.closes_at !== null && form.closes_at <= at) return 'closed'
  if (form.opens_at !== null && form.opens_at > at) return 'not_open_yet'
  return form.max_submissions !== null && taken >= form.max_submissions ? 'full' : 'open'
}

/** Whether a version can be published: it asks for something. */
export const asksSomething = ({ fields }: Pick<FormContent, 'fields'>): boolean =>
  fields.some(({ type }) => type !== 'hidden')
