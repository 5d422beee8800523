import { randomBytes } from 'node:crypto'
import { Form } from '#src/areas/publishing/index.ts'
import { School } from '#src/areas/school/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, notFound } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { toId } from '#src/kit/ids.ts'
import { form, page, redirect, refusalFor, revisionIn } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import type { StaffSection } from '../../section.ts'
import { type EditView, editPage } from './edit-page.ts'
import { changesIn, type FormShown, rearranged, storedFields, typedFields } from './form.rules.ts'

const ID = /^frm_[a-z0-9]+$/

/** The form in the address; it is named by its id alone. */
export const paramsOf = ({ request }: Pick<StaffContext, 'request'>): { readonly form_id: string } => {
  const id = request.params.id ?? ''
  if (!ID.test(id)) throw new Refusal(notFound, 'There is no such form.')
  return { form_id: id }
}

/** The form of the page. */
export const formOfPage = (context: StaffContext): Promise<FormShown> =>
  context.call({ operation: 'getForm', params: paramsOf(context), returns: Form })

const pageOf = async (
  context: StaffContext,
  shown: Pick<EditView, 'typed' | 'refusal' | 'isUnsaved'> = {},
  moved?: EditView['fields'],
) => {
  const [form, { time_zone: zone }] = await Promise.all([
    formOfPage(context),
    context.call({ operation: 'getSchool', returns: School }),
  ])
  const fields = moved ?? (shown.typed === undefined ? storedFields(form) : typedFields(shown.typed))
  return editPage({ ...shown, context, form, fields, zone, me: toId('mem', context.person.member.id) })
}

const save = async (context: StaffContext, form: Pairs): Promise<void> => {
  const [stored, { time_zone: zone }] = await Promise.all([
    formOfPage(context),
    context.call({ operation: 'getSchool', returns: School }),
  ])
  const body = changesIn(form, {
    language: context.language,
    zone,
    me: toId('mem', context.person.member.id),
    notify: stored.notify ?? [],
  })
  await context.call({ operation: 'changeForm', params: paramsOf(context), body, revision: revisionIn(form) })
}

const alone =
  (operation: 'publishForm' | 'closeForm') =>
  async (context: StaffContext, form: Pairs): Promise<void> =>
    context.call({ operation, params: paramsOf(context), revision: revisionIn(form) })

const remove = async (context: StaffContext, form: Pairs): Promise<void> => {
  if (formField(form, 'confirm') !== 'yes') throw new Refusal(formRefused, 'The box was not checked.')
  const body = { submissions: formField(form, 'submissions') }
  await context.call({ operation: 'deleteForm', params: paramsOf(context), body, revision: revisionIn(form) })
}

const acts: Readonly<
  Record<string, { readonly run: (context: StaffContext, form: Pairs) => Promise<void>; readonly done: string }>
> = {
  save: { run: save, done: 'saved' },
  publish: { run: alone('publishForm'), done: 'published' },
  close: { run: alone('closeForm'), done: 'closed' },
  delete: { run: remove, done: 'deleted' },
}

const submit = async (context: StaffContext, form: Pairs): Promise<Reply> => {
  const name = formField(form, 'act')
  // The id of a field is never shown and stays the same in every version.
  const moved = rearranged(typedFields(form), name, `f_${randomBytes(5).toString('hex')}`)
  if (moved !== undefined) return pageOf(context, { typed: form, isUnsaved: true }, moved)
  const act = Object.hasOwn(acts, name) ? acts[name] : undefined
  if (act === undefined) throw new Refusal(formRefused, 'The form has no valid action.')
  const refusal = await refusalFor(act.run(context, form))
  if (refusal !== undefined) return pageOf(context, name === 'save' ? { refusal, typed: form } : { refusal })
  return redirect(`${name === 'delete' ? '/staff/forms' : context.request.path}?done=${act.done}`)
}

/** GET and POST /staff/forms/:id: one form. */
export const formEdit: StaffSection = {
  // The list leads to each form.
  entries: [],
  pages: [
    page('GET /staff/forms/:id', staff, context => pageOf(context)),
    form('POST /staff/forms/:id', staff, submit),
  ],
}
