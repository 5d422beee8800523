import { fill } from '#src/contract/language.ts'
import { formField } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { dayOf, formOf } from '#src/web/page/index.ts'
import { field, folded, hidden } from '../../pages/fields.ts'
import { enrollmentText as text } from './enrollment-text.ts'
import type { EnrollmentView } from './enrollment-view.ts'

type Certificate = EnrollmentView['certificates'][number]

const revoking = (certificate: Certificate, view: EnrollmentView): Html => {
  const { visit, refused } = view
  const { language, request, token } = visit
  const isRefused = refused?.act === 'revoke_certificate'
  const inside = html`${hidden({ act: 'revoke_certificate', certificate: certificate.id, revision: certificate.revision })}
${field({
  name: 'reason',
  id: `reason-${certificate.id}`,
  label: fill(text.certificateReason, language),
  value: isRefused ? formField(refused.form, 'reason') : '',
  attributes: html`type="text" maxlength="200" autocomplete="off"`,
})}
<div class="buttons"><button type="submit">${fill(text.revoke, language)}</button></div>`
  return folded(fill(text.revoke, language), html`${formOf(request.path, token, inside)}`, isRefused)
}

const restoring = ({ id, revision }: Certificate, { visit: { language, request, token } }: EnrollmentView): Html => {
  const inside = html`${hidden({ act: 'restore_certificate', certificate: id, revision })}<button type="submit">${fill(text.restore, language)}</button>`
  return formOf(request.path, token, inside)
}

const item = (certificate: Certificate, view: EnrollmentView): Html => {
  const { visit } = view
  const { language, viewer } = visit
  const day = dayOf(new Date(certificate.issued_at), language, viewer)
  const facts = [fill(text.certificateStates[certificate.status], language), day]
  return html`<li><a href="${new URL(certificate.url).pathname}"><bdi>${certificate.serial}</bdi></a> <span class="quiet">${facts.join(' · ')}</span>
${visit.isStaff && certificate.status === 'valid' && revoking(certificate, view)}${visit.isStaff && certificate.status === 'revoked' && restoring(certificate, view)}</li>
`
}

const awarding = ({ visit, formKey }: EnrollmentView): Html => {
  const { language, request, token } = visit
  const inside = html`${hidden({ act: 'award', form_key: formKey })}<p class="quiet">${fill(text.awardAbout, language)}</p>
<button type="submit">${fill(text.award, language)}</button>`
  return formOf(request.path, token, inside)
}

/** The certificates of a person for a course; staff award, revoke and restore them. */
export const certificatesPart = (view: EnrollmentView): Html | false => {
  const { certificates, visit } = view
  const { language } = visit
  if (certificates.length === 0 && !visit.isStaff) return false
  return html`<h2>${fill(text.certificates, language)}</h2>
${certificates.length > 0 && html`<ul class="list">\n${certificates.map(one => item(one, view))}</ul>`}
${certificates.length === 0 && awarding(view)}`
}
