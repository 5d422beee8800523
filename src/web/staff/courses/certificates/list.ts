import { CertificateTemplatePage } from '#src/areas/courses/index.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { doneIn, listRow, page, readDone } from '#src/web/page/index.ts'
import { staff } from '../../audience.ts'
import { downloadLinks } from '../../csv.ts'
import { staffLink } from '../../pages/link.ts'
import { turning } from '../../teaching/lists.ts'

const { common: text } = texts.staff.certificates

const PATH = '/staff/certificates'

/** GET /staff/certificates: the templates of certificates. */
export const templateList = page(`GET ${PATH}`, staff, async context => {
  const { t, call, language, request } = context
  const cursor = context.query.get('cursor') ?? ''
  const { data, next_cursor: next } = await call({
    operation: 'listCertificateTemplates',
    query: cursor === '' ? [] : [['cursor', cursor]],
    returns: CertificateTemplatePage,
  })
  const rows = data.map(({ id, name, title, course_count: n }) =>
    listRow(`${PATH}/${id}`, name, [title, t(texts.words.courseCount, { n })]),
  )
  return context.frame({
    title: t(text.title),
    notice: doneIn(text.done, readDone(request), language),
    body: html`<p>${t(text.intro)}</p>
<p><a class="button main" href="${PATH}/new">${t(texts.words.createTemplate)}</a></p>
${rows.length === 0 ? html`<p>${t(text.none)}</p>` : html`<ul class="list menu">\n${rows}</ul>`}
${turning(context, PATH, { parameters: { cursor }, next })}
${rows.length > 0 && downloadLinks('listCertificateTemplates', context)}
${staffLink(language)}`,
  })
})
