import { randomBytes } from 'node:crypto'
import { Form, fieldTypes } from '#src/areas/publishing/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { PageCall } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, notFound, preconditionFailed } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { toId } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'
import {
  type Again,
  checkbox,
  doneIn,
  folded,
  form,
  hidden,
  noticeFor,
  page,
  readDone,
  renderConflict,
  select,
  submitAct,
  TAKE_THEIRS,
} from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { besides, statusPill } from '../../console/frame.ts'
import { staffText } from '../../pages/text.ts'
import type { StaffSection } from '../../section.ts'
import { teachingText } from '../../teaching/text.ts'
import { fieldCards, writeFields } from './fields-part.ts'
import {
  changesIn,
  type FormShown,
  formFields,
  rearranged,
  storedFields,
  type TypedField,
  typedFields,
} from './form.rules.ts'

const { common: text, schoolFormRefusals } = texts.staff.schoolForms

const ID = /^frm_[a-z0-9]+$/

/** What was done or refused on a page of forms. */
export const buildNotice = ({ language, request }: StaffContext, refusal: Refusal | undefined) =>
  refusal === undefined
    ? { notice: doneIn(text.done, readDone(request), language) }
    : noticeFor(refusal, language, {
        sets: [formFields],
        said: { ...staffText.refusals, ...teachingText.refusals, ...schoolFormRefusals },
      })

/** The form in the address; it is named by its id alone. */
export const readParams = ({ params: { id = '' } }: StaffContext): { readonly form_id: string } => {
  if (!ID.test(id)) throw new Refusal(notFound, 'There is no such form.')
  return { form_id: id }
}

/** The form of the page. */
export const readForm = (context: StaffContext): Promise<FormShown> =>
  context.call({ operation: 'getForm', params: readParams(context), returns: Form })

/** How many answers a form has, with those that are or may be spam. */
export const countSubmissions = ({ submission_counts: counts }: Pick<FormShown, 'submission_counts'>): number =>
  (counts?.received ?? 0) + (counts?.suspected ?? 0) + (counts?.spam ?? 0)

const readMe = ({ person }: StaffContext): string => toId('mem', person.member.id)

// What was typed is shown again after a button that moves a field, and where saving was refused.
type Shown = {
  readonly typed?: Pairs
  readonly refusal?: Refusal | undefined
  readonly moved?: readonly TypedField[]
  /** What was typed where somebody took what is stored. */
  readonly given?: Pairs
}

const buildPairs = (context: StaffContext, stored: FormShown): Pairs => {
  const notify_me = stored.notify?.includes(readMe(context)) === true
  return formFields.pairs({ max_submissions: null, ...stored, notify_me }, context)
}

const conflictPart = (context: StaffContext, form: FormShown, { typed, refusal, given }: Shown): Html | false => {
  const { t, language } = context
  const compared = given ?? typed
  if (compared === undefined) return false
  const mine = writeFields(typedFields(compared), language)
  const theirs = writeFields(storedFields(form), language)
  const ofFields = mine === theirs ? [] : [{ label: t(text.fields), mine, theirs }]
  return renderConflict(context, {
    act: given === undefined ? 'save' : TAKE_THEIRS,
    refusal,
    typed: compared,
    stored: buildPairs(context, form),
    fields: {
      names: formFields.names,
      differences: (...shown) => [...formFields.differences(...shown), ...ofFields],
    },
    within: 'form',
  })
}

const editor = (context: StaffContext, stored: FormShown, shown: Shown): Html => {
  const { typed, refusal, moved } = shown
  const { t, language, timeZone } = context
  const state = { language, timeZone, typed: typed ?? buildPairs(context, stored), refusal }
  const isStale = typed === undefined || refusal?.problem === preconditionFailed
  const revision = isStale ? stored.revision : formField(typed, 'revision')
  const fields = moved ?? (typed === undefined ? storedFields(stored) : typedFields(typed))
  // The first button is the one that Enter presses.
  const inside = html`${hidden({ revision })}<button class="unseen" type="submit" name="act" value="save" tabindex="-1" aria-hidden="true">${t(texts.words.save)}</button>
${formFields.rows(state, ['title', 'intro'])}${folded(
  t(texts.words.settings),
  formFields.rows(state, [
    ...(['slug', 'submit_label', 'done_text', 'redirect_path', 'retention_days'] as const),
    ...([['opens_at', 'closes_at'], 'max_submissions', 'needs_sign_in', 'one_per_member', 'notify_me'] as const),
  ]),
)}
<h2>${t(text.fields)}</h2>
${fieldCards({ fields, language, types: fieldTypes })}<div class="buttons"><button type="submit" name="act" value="add" formnovalidate>${t(text.add)}</button>
<button class="main" type="submit" name="act" value="save">${t(texts.words.save)}</button></div>`
  const terms = { id: 'form', draft: 'form', again: 'again', isUnsaved: typed !== undefined }
  return html`${conflictPart(context, stored, shown)}${context.form(inside, undefined, terms)}`
}

const alone = ({ t, form }: StaffContext, { revision }: FormShown, act: 'publish' | 'close'): Html =>
  html`<section class="card" aria-label="${t(text[act])}">
${form(html`${hidden({ act, revision })}<p class="quiet">${t(act === 'publish' ? text.publishAbout : text.closeAbout)}</p>
<div class="buttons"><button type="submit">${t(text[act])}</button></div>`)}
</section>
`

const removal = ({ t, form }: StaffContext, stored: FormShown): Html => {
  const choices = [
    { value: 'keep', label: t(text.keep) },
    { value: 'delete', label: t(text.deleteAll, { count: countSubmissions(stored) }) },
  ]
  const inside = html`${hidden({ act: 'delete', revision: stored.revision })}${select('submissions', t(texts.words.answers), 'keep', choices)}
${checkbox('confirm', t(text.confirm), { isChecked: false })}
<div class="buttons"><button type="submit">${t(texts.words.delete)}</button></div>`
  return folded(t(text.removal), form(inside))
}

const show = async (context: StaffContext, shown: Shown = {}): Promise<Reply> => {
  const { t } = context
  const stored = await readForm(context)
  const { id, title, status, state, slug } = stored
  const isOver = stored.deleted_at != null
  const hasChanges = stored.has_changes === true
  return context.frame({
    title,
    ...buildNotice(context, shown.refusal),
    badge: isOver ? statusPill(t(text.deleted), 'deleted') : statusPill(t(text.states[state]), state),
    actions: html`${status !== 'draft' && !isOver && html`<a class="button" href="/forms/${slug}">${t(texts.words.openPage)}</a>`}<a class="button" href="/staff/forms/${id}/submissions">${t(text.answersCount, { count: countSubmissions(stored) })}</a>`,
    ...(isOver
      ? { body: html`` }
      : besides(
          html`${shown.moved !== undefined && html`<p class="note" role="status">${t(text.unsaved)}</p>\n`}${hasChanges && html`<p class="note">${t(text.unpublished)}</p>\n`}${editor(context, stored, shown)}`,
          html`${(status !== 'published' || hasChanges) && alone(context, stored, 'publish')}${status === 'published' && alone(context, stored, 'close')}${removal(context, stored)}`,
        )),
  })
}

const onPage = { offered: () => false }

const acts = {
  save: { operation: 'changeForm', ...onPage },
  publish: { operation: 'publishForm', ...onPage },
  close: { operation: 'closeForm', ...onPage },
  delete: { operation: 'deleteForm', ...onPage },
}

const DONE: Readonly<Record<string, string>> = {
  save: 'saved',
  publish: 'published',
  close: 'closed',
  delete: 'deleted',
}

const bodyIn = async (context: StaffContext, act: string, typed: Pairs): Promise<{ readonly body?: object }> => {
  const { language, timeZone: zone } = context
  if (act === 'save') {
    const { notify = [] } = await readForm(context)
    return { body: changesIn(typed, { language, zone, me: readMe(context), notify }) }
  }
  if (act !== 'delete') return {}
  if (formField(typed, 'confirm') !== 'yes') throw new Refusal(formRefused, 'The box was not checked.')
  return { body: { submissions: formField(typed, 'submissions') } }
}

const submit = async (context: StaffContext, typed: Pairs): Promise<Reply> => {
  if (formField(typed, 'act') === TAKE_THEIRS) return show(context, { given: typed })
  // The id of a field is never shown and stays the same in every version.
  const moved = rearranged(typedFields(typed), formField(typed, 'act'), `f_${randomBytes(5).toString('hex')}`)
  if (moved !== undefined) return show(context, { typed, moved })
  const perform = async (act: string, call: PageCall<undefined>): Promise<string> => {
    await context.call({ ...call, ...(await bodyIn(context, act, typed)) })
    return `${act === 'delete' ? '/staff/forms' : context.request.path}?done=${DONE[act]}`
  }
  const again = ({ act, refusal }: Again) => show(context, act === 'save' ? { typed, refusal } : { refusal })
  return submitAct(context, { acts, typed, params: readParams(context) }, { perform, show: again })
}

/** GET and POST /staff/forms/:id: one form. */
export const formEdit: StaffSection = {
  // The list leads to each form.
  pages: [page('GET /staff/forms/:id', staff, context => show(context)), form('POST /staff/forms/:id', staff, submit)],
}
