import { randomUUID } from 'node:crypto'
import { NotePage } from '#src/areas/people/index.ts'
import type { PageCall } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { isVisible } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import { formKeyIn, hidden, revisionIn } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { icons } from '../../icons.ts'
import { readParams } from './read.ts'

const { notes: text } = texts.staff.personPage

/** Reads the newest notes about a member. */
export const readNotes = ({ call }: StaffContext, id: string) =>
  call({
    operation: 'listMemberNotes',
    params: { member_id: id },
    query: [['limit', '50']],
    returns: NotePage,
  })

type Notes = Awaited<ReturnType<typeof readNotes>>['data']

const renderEdit = ({ id, body, revision }: Notes[number], typed: Pairs, { t, form }: StaffContext): Html => {
  const isShown = formField(typed, 'act') === 'note_save' && formField(typed, 'note') === id
  const label = t(texts.words.edit)
  return html`<details${isShown && html` open`}><summary aria-label="${label}: ${body.slice(0, 40)}">${label}</summary>
${form(html`${hidden({ act: 'note_save', note: id, revision })}<label class="unseen" for="${id}">${t(text.field)}</label>
<textarea id="${id}" name="body" rows="3" maxlength="10000">
${isShown ? formField(typed, 'body') : body}</textarea>
<div class="buttons"><button type="submit" class="small">${t(texts.words.save)}</button></div>`)}</details>`
}

const renderNote = (note: Notes[number], typed: Pairs, context: StaffContext): Html => {
  const { id, body, author, created_at } = note
  const { t, day, form } = context
  const by = author !== null && isVisible(author.name) ? `${author.name} · ` : ''
  const label = t(texts.words.delete)
  const remove = form(
    html`${hidden({ act: 'note_delete', note: id })}<button type="submit" class="link" aria-label="${label}: ${body.slice(0, 40)}">${label}</button>`,
  )
  return html`<li><span class="dot">${icons.people}</span><div><p class="lines" dir="auto">${body}</p><time datetime="${created_at}">${by}${day(created_at)}</time><div class="acts">${renderEdit(note, typed, context)}${remove}</div></div></li>
`
}

/** The notes about a member, and the form for a new one. */
export const notesCard = (notes: Notes, typed: Pairs, context: StaffContext): Html => {
  const { t, form } = context
  const key = formField(typed, 'form_key') || randomUUID()
  return html`<section class="card" id="notes">
<header><h2>${t(text.title)}</h2><span class="quiet">${t(text.forStaff)}</span></header>
${form(html`${hidden({ act: 'note', form_key: key })}<label class="unseen" for="body">${t(text.field)}</label>
<textarea id="body" name="body" rows="3" maxlength="10000" placeholder="${t(text.field)}">
${formField(typed, 'act') === 'note_save' ? '' : formField(typed, 'body')}</textarea>
<div class="buttons"><button type="submit" class="small">${t(text.add)}</button></div>`)}
${notes.length > 0 && html`<ul class="timeline">\n${notes.map(note => renderNote(note, typed, context))}</ul>`}
</section>
`
}

const readBody = (typed: Pairs): string => formField(typed, 'body').replaceAll('\r\n', '\n').trim()

/** The call of a form about notes. Refuses a form that names nothing. */
export const callForNote = (context: StaffContext, typed: Pairs): PageCall<undefined> => {
  const params = readParams(context)
  switch (formField(typed, 'act')) {
    case 'note':
      return {
        operation: 'createMemberNote',
        params,
        body: { body: readBody(typed) },
        ...formKeyIn(typed),
      }
    case 'note_save':
      return {
        operation: 'updateMemberNote',
        params: { ...params, note_id: formField(typed, 'note') },
        body: { body: readBody(typed) },
        revision: revisionIn(typed),
      }
    case 'note_delete':
      return { operation: 'deleteMemberNote', params: { ...params, note_id: formField(typed, 'note') } }
    default:
      throw new Refusal(formRefused, 'The form has no valid action.')
  }
}
