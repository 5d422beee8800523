import { randomUUID } from 'node:crypto'
import type { Static } from 'typebox'
import { SitePage, SitePageList } from '#src/areas/publishing/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import {
  type Again,
  choice,
  doneIn,
  fieldsFor,
  form,
  hidden,
  line,
  mainButton,
  noticeFor,
  page,
  readDone,
  required,
  submitAct,
  unlessEmpty,
} from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { downloadLinks } from '../../csv.ts'
import { renderBinned } from '../../pages/binned.ts'
import { staffLink } from '../../pages/link.ts'
import { staffText } from '../../pages/text.ts'
import type { StaffSection } from '../../section.ts'
import { editPath } from './edit-view.ts'
import { everyOne } from './every-one.ts'
import { editorErrors, editorRefusals, editorText as text } from './text.ts'

const PATH = '/staff/pages'

type PageLine = Encoded<Static<typeof SitePageList>>['data'][number]

const newFields = fieldsFor<{ readonly title: string; readonly kind: PageLine['kind'] | undefined }>()(
  { title: { label: text.fields.title, error: editorErrors.title }, kind: { label: text.kind, choices: text.kinds } },
  { title: required(line({ most: 200 })), kind: unlessEmpty(choice(['content', 'static'])) },
)

const readPages = ({ call }: StaffContext): Promise<PageLine[]> =>
  everyOne(query => call({ operation: 'listPages', query, returns: SitePageList }))

const moveForm = ({ t, form }: StaffContext, page: PageLine, index: number, count: number): Html => {
  const button = (how: 'up' | 'down'): Html =>
    html`<button class="plain" type="submit" name="act" value="${how}" aria-label="${t(text[how])}: ${page.title}">${t(text[how])}</button>\n`
  return form(
    html`${hidden({ page: page.id })}<div class="buttons row">${index > 0 && button('up')}${index < count - 1 && button('down')}</div>`,
  )
}

const item = (context: StaffContext, page: PageLine, index: number, count: number): Html => {
  const { t, time } = context
  const facts = [
    ...(page.is_home ? [t(text.home)] : [page.path]),
    ...(page.publish_at == null ? [] : [time(page.publish_at)]),
    ...(page.visibility === 'listed' ? [] : [t(text.visibilities[page.visibility])]),
    ...(page.has_changes === true ? [t(text.hasChanges)] : []),
  ]
  return html`<li id="${page.id}"><a href="${editPath(page.id)}"><bdi>${page.title}</bdi></a> <span class="badge ${page.status}">${t(text.statuses[page.status])}</span>
<span class="quiet">${facts.join(' · ')}</span>
${count > 1 && moveForm(context, page, index, count)}</li>
`
}

const buildNotice = ({ language, request }: StaffContext, refusal: Refusal | undefined) =>
  refusal === undefined
    ? { notice: doneIn(text.done, readDone(request), language) }
    : noticeFor(refusal, language, { sets: [newFields], said: { ...staffText.refusals, ...editorRefusals } })

const show = async (context: StaffContext, again?: Again): Promise<Reply> => {
  const { t, language } = context
  const pages = await readPages(context)
  const { typed = [], refusal } = again ?? {}
  const key = formField(typed, 'form_key') || randomUUID()
  const rows = newFields.rows({ language, typed, refusal }, ['title', 'kind'])
  return context.frame({
    title: t(text.title),
    isWide: true,
    ...buildNotice(context, refusal),
    body: html`${await renderBinned(context)}
<p class="quiet">${t(text.intro)}</p>
${
  pages.length === 0
    ? html`<p>${t(text.none)}</p>`
    : html`<ul class="list page-list">\n${pages.map((page, index) => item(context, page, index, pages.length))}</ul>`
}
${pages.length > 0 && downloadLinks('listPages', context)}
<section class="card" aria-labelledby="new-page"><h2 id="new-page">${t(text.add)}</h2>
${context.form(html`${hidden({ act: 'create', form_key: key })}${rows}${mainButton(t(text.add))}`)}</section>
${staffLink(language)}`,
  })
}

const move = async (context: StaffContext, typed: Pairs, by: number): Promise<string> => {
  const ids = (await readPages(context)).map(({ id }) => id)
  const id = formField(typed, 'page')
  const at = ids.indexOf(id)
  // Somebody deleted it meanwhile.
  if (at < 0) return PATH
  const page_ids = ids.toSpliced(at, 1).toSpliced(Math.max(0, at + by), 0, id)
  await context.call({ operation: 'reorderPages', body: { page_ids } })
  return `${PATH}?done=moved#${id}`
}

const ordering = { operation: 'reorderPages', isOnce: true, offered: () => false }

const acts = {
  create: { operation: 'createPage', fields: newFields, isOnce: true, offered: () => false },
  up: ordering,
  down: ordering,
}

/** GET and POST /staff/pages: all pages in their order, and a form for a new one. */
export const pageList: StaffSection = {
  pages: [
    page(`GET ${PATH}`, staff, context => show(context)),
    form(`POST ${PATH}`, staff, (context, typed) =>
      submitAct(
        context,
        { acts, typed, params: {} },
        {
          async perform(act, call) {
            if (act !== 'create') return move(context, typed, act === 'up' ? -1 : 1)
            return `${editPath((await context.call({ ...call, returns: SitePage })).id)}?done=created`
          },
          show: again => show(context, again),
        },
      ),
    ),
  ],
}
