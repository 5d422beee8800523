import { randomUUID } from 'node:crypto'
import { formField } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { formOf, hidden, timeOf } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { choose, line } from '../../forms/fields.ts'
import { folded } from '../../pages/fields.ts'
import { type PostShown, pathOf } from './frame.ts'
import { type PostView, stateOf } from './shown.ts'
import { postsText as text } from './text.ts'

type Act = 'publish' | 'unpublish' | 'archive' | 'unarchive'

const OFFERED: Readonly<Record<PostShown['status'], readonly Act[]>> = {
  draft: ['publish'],
  scheduled: ['publish', 'unpublish'],
  published: ['unpublish', 'archive'],
  archived: ['unarchive'],
}

const actForm = (act: Act, { t, token }: StaffContext, { post }: PostView): Html => {
  const inside = html`${hidden({ act, revision: post.revision })}<button type="submit"${act === 'publish' && html` class="main"`}>${t(text[act])}</button>`
  return formOf(pathOf(post), token, inside)
}

const scheduleForm = (context: StaffContext, view: PostView): Html => {
  const { t, language, token, viewer } = context
  const { post, timeZone: zone } = view
  const state = stateOf(context, view, ['schedule'])
  const { publish_at: at } = post
  const when = at == null ? undefined : timeOf(new Date(at), language, viewer)
  const inside = html`${hidden({ act: 'schedule', revision: post.revision })}${line(state, { name: 'at', label: t(text.at, { zone }), attributes: html`type="datetime-local" required` })}<button type="submit">${t(text.schedule)}</button>`
  return html`${when !== undefined && html`<p>${t(text.scheduledAt, { at: when })}</p>\n`}${folded(t(text.schedule), formOf(pathOf(post), token, inside), state.typed.length > 0)}`
}

/** What staff do with the status of a post, and for others whom to ask. */
export const publicationPart = (context: StaffContext, view: PostView): Html => {
  const { t, isStaff } = context
  const { status } = view.post
  return html`<section class="card" id="publication"><h2>${t(text.publication)}</h2>
${
  isStaff
    ? html`${OFFERED[status].map(act => actForm(act, context, view))}${(status === 'draft' || status === 'scheduled') && scheduleForm(context, view)}`
    : html`<p class="note">${t(text.forStaff)}</p>`
}</section>`
}

const audienceFields = (context: StaffContext, view: PostView): Html => {
  const { t } = context
  const state = stateOf(context, view, ['count', 'mail'])
  const choices = Object.entries(text.audiences).map(([value, phrase]) => ({ value, label: t(phrase) }))
  return html`${choose(state, { name: 'audience', label: t(text.audience) }, choices)}
${line(state, { name: 'tags', id: 'mail-tags', label: t(text.mailTags), attributes: html`type="text" maxlength="1100"` })}`
}

/** The mailing of a published post: first the number of recipients, then the button that cannot be undone. */
export const mailingPart = (context: StaffContext, view: PostView): Html | false => {
  const { t, language, token, isStaff, viewer } = context
  const { post, again } = view
  if (!isStaff || (post.status !== 'published' && post.mailed_at == null)) return false
  const at = post.mailed_at
  if (at != null)
    return html`<section class="card" id="mailing"><h2>${t(text.mailing)}</h2>
<p>${t(text.mailedAt, { at: timeOf(new Date(at), language, viewer) })}</p></section>`
  const n = again?.recipients
  const inside = html`<p class="quiet">${t(text.mailingAbout)}</p>
${audienceFields(context, view)}
${n !== undefined && html`<p class="note" role="status">${t(text.recipients, { n })}</p>`}
<div class="buttons row"><button type="submit" name="act" value="count">${t(text.count)}</button>
${n !== undefined && html`<button class="main" type="submit" name="act" value="mail">${t(text.mail)}</button>`}</div>`
  return html`<section class="card" id="mailing"><h2>${t(text.mailing)}</h2>
${formOf(pathOf(post), token, inside)}</section>`
}

/** The versions of a post, each with the button that brings it back. */
export const versionsPart = (context: StaffContext, { post, versions }: PostView, mayChange: boolean): Html | false => {
  const { t, language, token, viewer } = context
  if (versions.length < 2) return false
  const items = versions.map(({ number: n, is_current, author, created_at: at }) => {
    const name = t(text.version, { n, at: timeOf(new Date(at), language, viewer) })
    const label = t(text.restore)
    const inside = html`${hidden({ act: 'restore', version: n, revision: post.revision })}<button type="submit" class="plain" aria-label="${label}: ${name}">${label}</button>`
    const current = html`<span class="badge published">${t(text.current)}</span>`
    return html`<li class="act"><span>${name} <span class="quiet"><bdi>${author?.name}</bdi></span></span>${is_current ? current : mayChange && formOf(pathOf(post), token, inside)}</li>\n`
  })
  return folded(t(text.versions), html`<ul class="list">\n${items}</ul>`)
}

/** Copying and deleting a post. */
export const endingPart = (context: StaffContext, view: PostView, mayChange: boolean): Html => {
  const { t, token } = context
  const { post } = view
  const copying = stateOf(context, view, ['copy'])
  const key = formField(copying.typed, 'form_key') || randomUUID()
  const copy = html`${hidden({ act: 'copy', form_key: key })}<button type="submit">${t(text.copy)}</button>`
  const deleting = stateOf(context, view, ['delete'])
  const remove = html`${hidden({ act: 'delete', revision: post.revision })}<p class="quiet">${t(text.deleteAbout)}</p>
${line(deleting, { name: 'confirm', label: t(text.deleteName), attributes: html`type="text" autocomplete="off" required` })}<button type="submit">${t(text.delete)}</button>`
  return html`${folded(t(text.copy), formOf(pathOf(post), token, copy))}
${mayChange && folded(t(text.delete), formOf(pathOf(post), token, remove), deleting.typed.length > 0)}`
}
