import { CertificateTemplatePage } from '#src/areas/courses/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { html } from '#src/kit/html.ts'
import { doneIn, doneOf, framed, page } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { downloadLinks, schoolOf } from '../../csv.ts'
import { staffLink } from '../../pages/link.ts'
import type { StaffSection } from '../../section.ts'
import { turning } from '../../teaching/lists.ts'
import type { TemplateShown } from './template-form.ts'
import { certificatesText as text } from './text.ts'

const PATH = '/staff/certificates'

const item = ({ id, name, title, course_count: n }: TemplateShown, { t }: StaffContext) =>
  html`<li><a href="${PATH}/${id}"><bdi>${name}</bdi></a><span class="quiet"><bdi>${title}</bdi> · ${t(text.courses, { n })}</span></li>
`

const show = async (context: StaffContext): Promise<Reply> => {
  const { t, language, request, query } = context
  const cursor = query.get('cursor') ?? ''
  const { data, next_cursor: next } = await context.call({
    operation: 'listCertificateTemplates',
    query: cursor === '' ? [] : [['cursor', cursor]],
    returns: CertificateTemplatePage,
  })
  return framed({
    school: request.school,
    language,
    title: t(text.title),
    notice: doneIn(text.done, doneOf(request), language),
    body: html`<p>${t(text.intro)}</p>
<p><a class="button main" href="${PATH}/new">${t(text.add)}</a></p>
${data.length === 0 ? html`<p>${t(text.none)}</p>` : html`<ul class="list menu">\n${data.map(one => item(one, context))}</ul>`}
${turning(context, PATH, { parameters: { cursor }, next })}
${data.length > 0 && downloadLinks('listCertificateTemplates', schoolOf(context))}
${staffLink(language)}`,
  })
}

/** GET /staff/certificates: the templates of certificates. */
export const templateList: StaffSection = {
  entries: [{ path: PATH, name: text.title, about: text.about }],
  pages: [page(`GET ${PATH}`, staff, show)],
}
