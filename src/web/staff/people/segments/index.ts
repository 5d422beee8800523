import { randomUUID } from 'node:crypto'
import type { Static } from 'typebox'
import { Segment, SegmentPage } from '#src/areas/people/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  doneIn,
  fieldsFor,
  form,
  formKeyIn,
  hidden,
  mainButton,
  noticeFor,
  page,
  pasted,
  readDone,
  required,
  revisionIn,
  shownAgain,
} from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { staffText } from '../../pages/text.ts'
import type { StaffSection } from '../../section.ts'
import { addressWith } from '../../teaching/lists.ts'
import { buildConditions, buildGiven, PEOPLE, readGiven } from '../members/filters.ts'

const text = texts.staff.segments

const PATH = '/staff/segments'

type Shown = Encoded<Static<typeof Segment>>

const fields = fieldsFor<{ name: string }>()(
  { name: { label: texts.words.name, error: texts.words.enterName } },
  { name: required(pasted({ most: 80 })) },
)

const said = { ...staffText.refusals, ...text.refusals }

const readParams = ({ params }: StaffContext) => ({ segment_id: params.id ?? '' })

const buildList = ({ filter }: Pick<Shown, 'filter'>): string =>
  addressWith(PEOPLE, Object.fromEntries(buildGiven(filter)))

const showList = async (context: StaffContext): Promise<Reply> => {
  const { t, call, query, language, request } = context
  const cursor = query.get('cursor') ?? ''
  const position: Pairs = cursor === '' ? [] : [['cursor', cursor]]
  const { data, next_cursor: next } = await call({
    operation: 'listSegments',
    query: [['limit', '100'], ...position],
    returns: SegmentPage,
  })
  const rows = data.map(
    one =>
      html`<li class="act"><a href="${buildList(one)}"><bdi>${one.name}</bdi></a><a class="button small" href="${PATH}/${one.id}" aria-label="${t(texts.words.edit)}: ${one.name}">${t(texts.words.edit)}</a></li>\n`,
  )
  return context.frame({
    title: t(text.title),
    lead: t(text.about),
    notice: doneIn(text.done, readDone(request), language),
    body: html`${rows.length === 0 ? html`<p>${t(text.empty)}</p>\n<p><a class="button" href="${PEOPLE}">${t(text.toPeople)}</a></p>` : html`<ul class="list">\n${rows}</ul>`}
${next !== undefined && html`<p><a rel="next" href="${addressWith(PATH, { cursor: next })}">${t(texts.words.nextPage)}</a></p>`}`,
  })
}

const readFilter = ({ query }: StaffContext): Pairs => readGiven(name => query.get(name))

type Again = { readonly typed: Pairs; readonly refusal: Refusal }

// The filter is that of the list from which one comes; it is in the address.
const showNew = async (context: StaffContext, again?: Again): Promise<Reply> => {
  const { t, language, address } = context
  const given = readFilter(context)
  const typed = again?.typed ?? []
  const key = formField(typed, 'form_key') || randomUUID()
  const list = addressWith(PEOPLE, Object.fromEntries(given))
  return context.frame({
    title: t(texts.staff.peopleList.saveSegment),
    ...noticeFor(again?.refusal, language, { sets: [fields], said }),
    body: html`${given.length === 0 && html`<p>${t(text.noFilter)}</p>`}
${context.form(
  html`${hidden({ form_key: key })}${fields.rows({ language, typed, refusal: again?.refusal }, ['name'])}${mainButton(t(texts.words.save))}`,
  address,
)}
<p class="quiet"><a href="${list}">${t(text.toPeople)}</a></p>`,
  })
}

const create = async (context: StaffContext, typed: Pairs): Promise<string> => {
  const filter = buildConditions(readFilter(context))
  const body = { ...fields.body(typed, context), filter }
  const created = await context.call({ operation: 'createSegment', body, returns: Segment, ...formKeyIn(typed) })
  return addressWith(PEOPLE, { ...Object.fromEntries(buildGiven(created.filter)), done: 'segment' })
}

const renderForms = (segment: Shown, context: StaffContext, again?: Again): Html => {
  const { t, language } = context
  const typed = again?.typed ?? fields.pairs(segment, context)
  const { revision } = segment
  return html`${context.form(html`${hidden({ act: 'save', revision })}${fields.rows({ language, typed, refusal: again?.refusal }, ['name'])}${mainButton(t(texts.words.save))}`)}
<section><h2>${t(text.deleteTitle)}</h2>
<p class="quiet">${t(text.deleteAbout)}</p>
${context.form(html`${hidden({ act: 'delete', revision })}<div class="buttons"><button type="submit" class="bad">${t(text.deleteTitle)}</button></div>`)}</section>`
}

const showOne = async (context: StaffContext, again?: Again): Promise<Reply> => {
  const { t, language } = context
  const segment = await context.call({ operation: 'getSegment', params: readParams(context), returns: Segment })
  return context.frame({
    title: segment.name,
    ...noticeFor(again?.refusal, language, { sets: [fields], said }),
    actions: html`<a class="button" href="${buildList(segment)}">${t(text.toMatching)}</a>`,
    body: renderForms(segment, context, again),
  })
}

const change = async (context: StaffContext, typed: Pairs): Promise<string> => {
  const [params, revision] = [readParams(context), revisionIn(typed)]
  switch (formField(typed, 'act')) {
    case 'save':
      await context.call({ operation: 'updateSegment', params, revision, body: fields.body(typed, context) })
      return `${PATH}?done=saved`
    case 'delete':
      await context.call({ operation: 'deleteSegment', params, revision })
      return `${PATH}?done=deleted`
    default:
      throw new Refusal(formRefused, 'The form has no valid action.')
  }
}

/** The segments of the people: named filters of their list. */
export const segments: StaffSection = {
  pages: [
    page(`GET ${PATH}`, staff, showList),
    page(`GET ${PATH}/new`, staff, context => showNew(context)),
    form(`POST ${PATH}/new`, staff, (context, typed) =>
      shownAgain(
        () => create(context, typed),
        refusal => showNew(context, { typed, refusal }),
      ),
    ),
    page(`GET ${PATH}/:id`, staff, context => showOne(context)),
    form(`POST ${PATH}/:id`, staff, (context, typed) =>
      shownAgain(
        () => change(context, typed),
        refusal => showOne(context, { typed, refusal }),
      ),
    ),
  ],
}
