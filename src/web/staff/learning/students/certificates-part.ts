import { fill } from '#src/contract/language.ts'
import { formField } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { dayOf, formOf, hidden } from '#src/web/page/index.ts'
import { field, folded } from '../../pages/fields.ts'
import { enrollmentText as text } from './enrollment-text.ts'
import type { EnrollmentView } from './enrollment-view.ts'

type Certificate = EnrollmentView['certificates'][number]

const revoking = (certificate: Certificate, view: EnrollmentView): Html => {
  const { context, refused } = view
  const { t, request, token } = context
  const isRefused = refused?.act === 'revoke_certificate'
  const inside = html`${hidden({ act: 'revoke_certificate', certificate: certificate.id, revision: certificate.revision })}
${field({
  name: 'reason',
  id: `reason-${certificate.id}`,
  label: t(text.certificateReason),
  value: isRefused ? formField(refused.form, 'reason') : '',
  attributes: html`type="text" maxlength="200" autocomplete="off"`,
})}
<div class="buttons"><button type="submit">${t(text.revoke)}</button></div>`
  return folded(t(text.revoke), html`${formOf(request.path, token, inside)}`, isRefused)
}

const restoring = ({ id, revision }: Certificate, { context: { language, request, token } }: EnrollmentView): Html => {
  const inside = html`${hidden({ act: 'restore_certificate', certificate: id, revision })}<button type="submit">${fill(text.restore, language)}</button>`
  return formOf(request.path, token, inside)
}

const item = (certificate: Certificate, view: EnrollmentView): Html => {
  const { context } = view
  const { t, language, viewer } = context
  const day = dayOf(new Date(certificate.issued_at), language, viewer)
  const facts = [t(text.certificateStates[certificate.status]), day]
  return html`<li><a href="${new URL(certificate.url).pathname}"><bdi>${certificate.serial}</bdi></a> <span class="quiet">${facts.join(' · ')}</span>
${context.isStaff && certificate.status === 'valid' && revoking(certificate, view)}${context.isStaff && certificate.status === 'revoked' && restoring(certificate, view)}</li>
`
}

const awarding = ({ context, formKey }: EnrollmentView): Html => {
  const { t, request, token } = context
  const inside = html`${hidden({ act: 'award', form_key: formKey })}<p class="quiet">${t(text.awardAbout)}</p>
<button type="submit">${t(text.award)}</button>`
  return formOf(request.path, token, inside)
}

/** The certificates of a person for a course; staff award, revoke and restore them. */
export const certificatesPart = (view: EnrollmentView): Html | false => {
  const { certificates, context } = view
  const { t } = context
  if (certificates.length === 0 && !context.isStaff) return false
  return html`<h2>${t(text.certificates)}</h2>
${certificates.length > 0 && html`<ul class="list">\n${certificates.map(one => item(one, view))}</ul>`}
${certificates.length === 0 && awarding(view)}`
}
