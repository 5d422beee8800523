import { CertificateTemplatePage } from '#src/areas/courses/index.ts'
import { formatNumber } from '#src/kit/format.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { createList, doneIn, page, readDone, renderName } from '#src/web/page/index.ts'
import { staff } from '../../audience.ts'
import { showList } from '../../pages/list-page.ts'

const { common: text } = texts.staff.certificates

const PATH = '/staff/certificates'

const list = createList({
  path: PATH,
  operation: 'listCertificateTemplates',
  returns: CertificateTemplatePage,
  filters: {},
  texts: { filters: {}, all: text.title, none: text.none, empty: text.none },
})

/** GET /staff/certificates: the templates of certificates. */
export const templateList = page(`GET ${PATH}`, staff, async context => {
  const { t, language, request } = context
  const shown = await list.read(context)
  return context.frame({
    title: t(text.title),
    lead: t(text.intro),
    notice: doneIn(text.done, readDone(request), language),
    ...showList(context, list, shown, {
      columns: [
        {
          name: texts.words.name,
          kind: 'main',
          cell: ({ id, name, title }) => renderName(`${PATH}/${id}`, name, title),
        },
        {
          name: texts.words.courses,
          kind: 'num',
          isNamed: true,
          cell: ({ course_count: n }) => formatNumber(n, language),
        },
      ],
      rows: shown.page.data,
      action: html`<a class="button main" href="${PATH}/new">${t(texts.words.createTemplate)}</a>`,
    }),
  })
})
