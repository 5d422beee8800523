import { formField } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { field, folded, hidden } from '#src/web/page/index.ts'
import type { EnrollmentView } from './enrollment-view.ts'

const { enrollment: text } = texts.staff.students

type Certificate = EnrollmentView['certificates'][number]

const revoking = (certificate: Certificate, view: EnrollmentView): Html => {
  const { context, refused } = view
  const { t, form } = context
  const isRefused = refused?.act === 'revoke_certificate'
  const inside = html`${hidden({ act: 'revoke_certificate', certificate: certificate.id, revision: certificate.revision })}
${field({
  name: 'reason',
  id: `reason-${certificate.id}`,
  label: t(text.certificateReason),
  value: isRefused ? formField(refused.typed, 'reason') : '',
  attributes: html`type="text" maxlength="200" autocomplete="off"`,
})}
<div class="buttons"><button type="submit">${t(text.revoke)}</button></div>`
  return folded(t(text.revoke), form(inside), isRefused)
}

const restoring = ({ id, revision }: Certificate, { context: { t, form } }: EnrollmentView): Html => {
  const inside = html`${hidden({ act: 'restore_certificate', certificate: id, revision })}<button type="submit">${t(text.restore)}</button>`
  return form(inside)
}

const replacing = ({ id, revision }: Certificate, view: EnrollmentView): Html => {
  const { context, formKey } = view
  const { t, form } = context
  const inside = html`${hidden({ act: 'replace_certificate', certificate: id, revision, form_key: `${formKey}-${id}` })}<button type="submit">${t(text.replace)}</button>`
  return folded(
    t(text.replace),
    html`<p class="quiet">${t(text.replaceAbout)}</p>
${form(inside)}`,
  )
}

const item = (certificate: Certificate, view: EnrollmentView): Html => {
  const { context } = view
  const { t, day } = context
  const facts = [t(text.certificateStates[certificate.status]), day(certificate.issued_at)]
  return html`<li><a href="${new URL(certificate.url).pathname}"><bdi>${certificate.serial}</bdi></a> <span class="quiet">${facts.join(' · ')}</span>
${context.isStaff && certificate.status === 'valid' && html`${replacing(certificate, view)}${revoking(certificate, view)}`}${context.isStaff && certificate.status === 'revoked' && restoring(certificate, view)}</li>
`
}

const awarding = ({ context, formKey }: EnrollmentView): Html => {
  const { t, form } = context
  const inside = html`${hidden({ act: 'award', form_key: formKey })}<p class="quiet">${t(text.awardAbout)}</p>
<button type="submit">${t(text.award)}</button>`
  return form(inside)
}

/** The certificates of a person for a course; staff award, revoke and restore them. */
export const certificatesPart = (view: EnrollmentView): Html | false => {
  const { certificates, context } = view
  const { t } = context
  if (certificates.length === 0 && !context.isStaff) return false
  return html`<h2>${t(texts.words.certificate)}</h2>
${certificates.length > 0 && html`<ul class="list">\n${certificates.map(one => item(one, view))}</ul>`}
${certificates.length === 0 && awarding(view)}`
}
