import type { Caller } from '#src/contract/caller.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { type FieldError, Refusal } from '#src/contract/problem.ts'
import { refuseInvalid, slugTaken } from '#src/contract/problems.ts'
import { renderBody } from '#src/kit/body/render.ts'
import { newUuid } from '#src/kit/ids.ts'
import { slugFor } from '#src/kit/text.ts'
import { errorsOfFields } from '../fields/rules.ts'
import { countForms, type FormValues, freeFormSlug, insertForm, isGroup, isSlugTaken, listStaff } from './queries.ts'
import { changedForm, MAX_FORMS, newForm, tooManyForms } from './rules.ts'
import type { FormInput } from './schema.ts'

type Place = Pick<AsCaller<Caller>, 'db' | 'school'>

const errorsOfTexts = (values: FormValues): FieldError[] =>
  (['intro', 'done_text'] as const)
    .filter(name => typeof renderBody('page', values[name], 'markdown') === 'string')
    .map(name => ({ pointer: `/${name}`, code: 'too_complex', message: 'takes too long to render' }))

const errorsOfOnSubmit = async ({ db, school }: Place, { on_submit, fields }: FormValues): Promise<FieldError[]> => {
  const { group_id: groupId, marketing_consent_field: consent } = on_submit
  const isConsent = consent === null || fields.some(({ id, type }) => id === consent && type === 'consent')
  const isThere = groupId === null || (await isGroup(db, school.id, groupId))
  return [
    ...(isThere ? [] : [{ pointer: '/on_submit/group_id', code: 'unknown', message: 'is not a group' }]),
    ...(isConsent
      ? []
      : [{ pointer: '/on_submit/marketing_consent_field', code: 'unknown', message: 'is not a consent of the form' }]),
  ]
}

const errorsOfTimes = ({ opens_at: opens, closes_at: closes }: FormValues): FieldError[] =>
  opens !== null && closes !== null && closes <= opens
    ? [{ pointer: '/closes_at', code: 'bounds', message: 'is not after opens_at' }]
    : []

/** Refuses values that a form cannot have. */
export const checkForm = async (context: Place, values: FormValues, butId?: string): Promise<void> => {
  const { db, school } = context
  const staff = new Set(await listStaff(db, school.id, values.notify))
  const strangers = values.notify.flatMap((id, index) =>
    staff.has(id)
      ? []
      : [{ pointer: `/notify/${index}`, code: 'unknown', message: 'is not an admin or owner of the school' }],
  )
  refuseInvalid(
    [
      ...errorsOfFields(values.fields),
      ...errorsOfTexts(values),
      ...(await errorsOfOnSubmit(context, values)),
      ...errorsOfTimes(values),
      ...strangers,
    ],
    'The form has values that are not allowed.',
  )
  if (await isSlugTaken(db, school.id, values.slug, butId)) throw new Refusal(slugTaken, 'Another form has this slug.')
}

/** A form to create. */
export type NewForm = FormInput & { readonly title: string }

/** Stores a new form as a draft; returns its UUID. */
export const addForm = async ({ db, school, now }: Place & { readonly now: Date }, input: NewForm): Promise<string> => {
  if ((await countForms(db, school.id)) >= MAX_FORMS)
    throw new Refusal(tooManyForms, `The school has ${MAX_FORMS} forms.`)
  const id = newUuid(now.getTime())
  const slug = input.slug ?? (await freeFormSlug(db, school.id, slugFor(input.title, id), id))
  const values = changedForm(newForm, { ...input, slug })
  await checkForm({ db, school }, values)
  await insertForm(db, school.id, { id, versionId: newUuid(now.getTime()), values })
  return id
}
