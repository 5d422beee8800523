import { isStaff } from '#src/contract/caller.ts'
import { changeRow } from '#src/contract/change.ts'
import { declareFor, operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState, slugTaken } from '#src/contract/problems.ts'
import { readList } from '#src/db/list.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { submissionsDeletion } from '../hooks.ts'
import { getForm, lockForm } from './access.ts'
import {
  type FormRow,
  type FormValues,
  formList,
  listAllForms,
  storeClosing,
  storeContent,
  storeDeletion,
  storeForm,
  storePublication,
} from './queries.ts'
import { asksSomething, changedForm, formIncomplete, isContent, pickContent, tooManyForms } from './rules.ts'
import { Form, FormChanges, FormDeletion, FormExport, FormPage, FormRef, FormsQuery, NewForm } from './schema.ts'
import { formLine, formView, portableView, readCounts } from './views.ts'
import { addForm, checkForm } from './writes.ts'

/** A form of the demo data, for the examples. */
export const enquiry = { form_id: 'slug:ask-the-bakery' }

const staff = { who: 'staff', mode: 'write' } as const

const listForms = declareFor('staff', 'forms', {
  id: 'listForms',
  route: 'GET /forms',
  summary: 'List forms',
  description: 'Lists the forms of the school with the number of their submissions, the newest first.',
  query: FormsQuery,
  returns: FormPage,
  handle(context) {
    const { school, caller, query } = context
    const list = formList(school.id, { status: query.status, q: query.q, isDeleted: query.deleted })
    return readList(context, list, async rows => {
      const counts = await readCounts(
        context,
        rows.map(({ id }) => id),
      )
      return rows.map(row => formLine(school, caller, row, counts.get(row.id)))
    })
  },
})

// What staff can do with a form on its page.
const listActions = (row: FormRow): string[] => [
  ...['getForm', 'listFormVersions', 'listFormSubmissions'],
  ...(row.deleted_at === null ? ['changeForm', 'publishForm', 'deleteForm'] : []),
  ...(row.deleted_at === null && row.status === 'published' ? ['closeForm'] : []),
]

const listAnswers = ({ deleted_at: deletedAt, status }: FormRow): string[] =>
  deletedAt === null && status === 'published' ? ['submitForm', 'createFormUpload'] : []

const getFormOperation = declareFor('anyone', 'forms', {
  id: 'getForm',
  route: 'GET /forms/:form_id',
  summary: 'Get a form',
  description:
    'Returns one form. Anybody reads the published version of a form that was published, with what is needed to answer it. Staff read the newest version, and a deleted form by its id.',
  params: FormRef,
  returns: Form,
  example: { params: enquiry },
  async handle(context) {
    const { caller, params, allowedActions, countView } = context
    const row = await getForm(context, params.form_id)
    const view = await formView(context, row)
    if (view.state === 'open' && !isStaff(caller)) countView({ type: 'form', id: row.id })
    if (caller.member === undefined) return view
    const actions = isStaff(caller) ? listActions(row) : ['getForm']
    return { ...view, allowed_actions: allowedActions([...actions, ...listAnswers(row)]) }
  },
})

const createForm = operation({
  id: 'createForm',
  summary: 'Create a form',
  description: 'Creates a form as a draft. Without a slug it gets one from its title.',
  ...staff,
  body: NewForm,
  returns: Form,
  fails: [slugTaken, tooManyForms],
  example: {
    body: {
      title: 'Visit the bakery',
      retention_days: 90,
      fields: [{ id: 'email', type: 'email', label: 'Your e-mail address', required: true }],
    },
  },
  async handle(context) {
    const { body, changed } = context
    const row = await getForm(context, await addForm(context, body))
    changed({ ids: [toId('frm', row.id)], fields: Object.keys(body), revision: row.revision })
    return formView(context, row)
  },
})

const valuesIn = (row: FormRow): FormRow & FormValues => row

const changeForm = operation({
  id: 'changeForm',
  summary: 'Change a form',
  description:
    'Changes the fields of a form that the request names. The title, the texts, the fields and `on_submit` are content, which people see once the form is published again. The other settings change at once.',
  ...staff,
  params: FormRef,
  body: FormChanges,
  returns: Form,
  fails: [slugTaken],
  example: { params: enquiry, body: { title: 'Ask the bakers' } },
  async handle(context) {
    const { db, school, now, params, body } = context
    const row = await lockForm(context, params.form_id)
    return changeRow<FormRow, FormValues, Awaited<ReturnType<typeof formView>>>(
      { ...context, record: () => undefined },
      valuesIn(row),
      {
        id: toId('frm', row.id),
        fact: 'form.updated',
        values: () => changedForm(row, body),
        check: values => checkForm(context, values, row.id),
        store: async (values, fields) => {
          const number = row.version === row.published_version ? row.version + 1 : row.version
          if (isContent(fields))
            await storeContent(db, school.id, {
              id: newUuid(now.getTime()),
              formId: row.id,
              number,
              content: pickContent(values),
            })
          await storeForm(db, school.id, row.id, values)
          return getForm(context, row.id)
        },
        view: stored => formView(context, stored),
      },
    )
  },
})

const publishForm = operation({
  id: 'publishForm',
  summary: 'Publish a form',
  description:
    'Publishes the newest version of a form, and opens a form that was closed. Answers to the version before are taken for another hour. Publishing what is published changes nothing.',
  ...staff,
  params: FormRef,
  returns: Form,
  fails: [formIncomplete],
  example: { params: enquiry },
  async handle(context) {
    const { db, school, params, requireMatch, changed, record } = context
    const row = await lockForm(context, params.form_id)
    await requireMatch(row.revision, () => formView(context, row))
    if (row.status === 'published' && row.version === row.published_version) return formView(context, row)
    if (!asksSomething(row)) throw new Refusal(formIncomplete, 'The form has no field that people can answer.')
    if (row.closes_at !== null && row.closes_at <= row.asked_at)
      throw new Refusal(formIncomplete, 'closes_at has passed: change or remove it first.')
    await storePublication(db, school.id, row.id)
    const stored = await getForm(context, row.id)
    const form = toId('frm', row.id)
    changed({ ids: [form], fields: ['status'], revision: stored.revision })
    record({ type: 'form.published', payload: { form_id: form, version: stored.version } })
    return formView(context, stored)
  },
})

const closeForm = operation({
  id: 'closeForm',
  summary: 'Close a form',
  description: 'Closes a published form: it takes no answers until it is published again.',
  ...staff,
  params: FormRef,
  returns: Form,
  fails: [invalidState],
  example: { params: enquiry },
  async handle(context) {
    const { db, school, params, requireMatch, changed, record } = context
    const row = await lockForm(context, params.form_id)
    await requireMatch(row.revision, () => formView(context, row))
    if (row.status !== 'published') throw new Refusal(invalidState, `The form is ${row.status}.`)
    await storeClosing(db, school.id, row.id)
    const stored = await getForm(context, row.id)
    const form = toId('frm', row.id)
    changed({ ids: [form], fields: ['status'], revision: stored.revision })
    record({ type: 'form.closed', payload: { form_id: form } })
    return formView(context, stored)
  },
})

const deleteForm = operation({
  id: 'deleteForm',
  summary: 'Delete a form',
  description:
    'Deletes a form. Its submissions are kept until their retention ends, or deleted at once with their files.',
  ...staff,
  params: FormRef,
  body: FormDeletion,
  returns: undefined,
  example: { params: enquiry, body: { submissions: 'keep' } },
  async handle(context) {
    const { db, school, params, body, requireMatch, changed, record } = context
    const row = await lockForm(context, params.form_id)
    await requireMatch(row.revision, () => formView(context, row))
    await storeDeletion(db, school.id, row.id)
    const form = toId('frm', row.id)
    changed({ ids: [form], fields: ['deleted_at'], revision: row.revision + 1 })
    if (body.submissions === 'keep') return
    const counts = await submissionsDeletion.call({ formId: row.id }, { school, db })
    const count = counts.reduce((sum, one) => sum + one, 0)
    if (count > 0) record({ type: 'form.submissions_deleted', payload: { form_id: form, count } })
  },
})

const exportForms = operation({
  id: 'exportForms',
  summary: 'Export forms',
  description:
    'Returns the newest version of every form as a file has it, to import it in another school. It has no submissions and no ids of members and groups.',
  who: 'staff',
  mode: 'read',
  returns: FormExport,
  async handle({ db, school }) {
    return { forms: (await listAllForms(db, school.id)).map(portableView) }
  },
})

/** The operations of forms, in the order of the documentation. */
export const formOperations = [
  listForms,
  getFormOperation,
  createForm,
  changeForm,
  publishForm,
  closeForm,
  deleteForm,
  exportForms,
]
