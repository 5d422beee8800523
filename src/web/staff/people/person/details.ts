import { GroupPage } from '#src/areas/learning/index.ts'
import { ConnectedAppPage, SessionPage } from '#src/areas/people/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { PageCall } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { cleanLine } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import {
  box,
  doneIn,
  email,
  factList,
  fieldsFor,
  form,
  hidden,
  hiddenFor,
  noticeFor,
  optionalLine,
  page,
  pasted,
  readDone,
  required,
  revisionIn,
  select,
  shownAgain,
} from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { staffText } from '../../pages/text.ts'
import { customBody, customFacts, customPairs, customRows, readCustomFields } from './custom.ts'
import { framePerson } from './frame.ts'
import { type Person, personPath, readParams, readPerson } from './read.ts'

const text = texts.staff.personPage
const { person: facts, refusals } = staffText

type Edited = {
  name: string
  email: string
  phone: string | null
  external_id: string | null
  news: boolean
}

const fields = fieldsFor<Edited>()(text.fields, {
  name: required(pasted({ most: 120 })),
  email: required(email()),
  phone: optionalLine({ most: 40 }),
  external_id: optionalLine({ most: 255 }),
  news: box(),
})

const said = { ...refusals, ...text.refusals }

/** What there is to know of a member, in a card beside what they do. */
export const factsCard = async (person: Person, context: StaffContext): Promise<Html> => {
  const { t, time } = context
  const custom = await readCustomFields(context)
  const proven = t(person.email_verified ? facts.proven : facts.notProven)
  return html`<section class="card">
<header><h2>${t(texts.words.details)}</h2><a href="${personPath(person.id)}/details">${t(texts.words.edit)}</a></header>
${factList([
  [t(facts.email), `${person.email} (${proven})`],
  [t(facts.suspendedFor), person.suspension_reason || undefined],
  [t(facts.groups), (person.groups ?? []).map(({ name }) => name).join(', ') || undefined],
  [t(text.news), person.marketing_consent.granted ? t(texts.page.form.yes) : undefined],
  [t(facts.externalId), person.external_id || undefined],
  ...customFacts(custom, person, context),
  [t(facts.seen), person.last_seen_at === null ? undefined : time(person.last_seen_at)],
])}
</section>
`
}

const editCard = async (person: Person, typed: Pairs | undefined, context: StaffContext, refusal?: Refusal) => {
  const { t, language } = context
  const custom = await readCustomFields(context)
  const stored = { ...person, news: person.marketing_consent.granted }
  const values = typed ?? [...fields.pairs(stored, context), ...customPairs(custom, person)]
  const errors = new Map(
    (refusal?.extras.errors ?? []).map(({ pointer }) => [
      pointer.replace('/custom_fields/', 'custom_'),
      t(texts.page.errors.notAllowed),
    ]),
  )
  return html`<section class="card"><h2>${t(texts.words.details)}</h2>
${context.form(html`${hidden({ act: 'save' })}${hiddenFor({ typed: typed ?? [], refusal }, person.revision)}
${fields.rows({ language, typed: values, refusal }, fields.names)}${customRows(custom, { typed: values, errors }, context)}
<div class="buttons"><button type="submit" class="main">${t(texts.words.save)}</button></div>`)}
</section>
`
}

const removable = (act: string, field: string, value: string, name: string, { t, form }: StaffContext): Html =>
  html`<li class="act"><bdi>${name}</bdi>${form(html`${hidden({ act, [field]: value })}<button type="submit" class="small" aria-label="${t(texts.words.remove)}: ${name}">${t(texts.words.remove)}</button>`)}</li>\n`

const tagsCard = ({ tags }: Person, context: StaffContext): Html => {
  const { t, form } = context
  return html`<section class="card" id="tags"><h2>${t(texts.words.tags)}</h2>
${tags.length > 0 && html`<ul class="list">\n${tags.map(tag => removable('untag', 'tag', tag, tag, context))}</ul>`}
${form(html`${hidden({ act: 'tag' })}<label for="tag">${t(text.newTag)}</label>
<input id="tag" name="tag" type="text" maxlength="50" required>
<div class="buttons"><button type="submit" class="small">${t(texts.words.add)}</button></div>`)}
</section>
`
}

const groupsCard = async ({ groups = [] }: Person, context: StaffContext): Promise<Html | false> => {
  const { t, form, call } = context
  const all = await call({ operation: 'listGroups', query: [['limit', '100']], returns: GroupPage })
  const others = all.data.filter(({ id }) => groups.every(group => group.id !== id))
  const choices = others.map(({ id, name }) => ({ value: id, label: name }))
  return (
    all.data.length > 0 &&
    html`<section class="card" id="groups"><h2>${t(texts.words.groups)}</h2>
${groups.length > 0 && html`<ul class="list">\n${groups.map(({ id, name }) => removable('leave', 'group', id, name, context))}</ul>`}
${
  choices.length > 0 &&
  form(html`${hidden({ act: 'join' })}${select('group', t(text.group), '', choices)}
<div class="buttons"><button type="submit" class="small">${t(texts.words.add)}</button></div>`)
}
</section>
`
  )
}

const accessCards = async ({ id }: Person, { t, time, call }: StaffContext): Promise<Html> => {
  const params = { member_id: id }
  const [sessions, apps] = await Promise.all([
    call({ operation: 'listMemberSessions', params, returns: SessionPage }),
    call({ operation: 'listMemberConnectedApps', params, returns: ConnectedAppPage }),
  ])
  const browsers = sessions.data.map(
    one =>
      html`<li><bdi>${one.browser ?? t(text.unknownBrowser)}</bdi> <span class="quiet">${time(one.signed_in_at)}</span></li>\n`,
  )
  const connected = apps.data.map(
    one =>
      html`<li><bdi>${one.name}</bdi> <span class="quiet">${t(text.usedLast, { day: time(one.last_used_at) })}</span></li>\n`,
  )
  return html`<section class="card"><h2>${t(text.sessions)}</h2>
${browsers.length === 0 ? html`<p class="quiet">${t(text.noSessions)}</p>` : html`<ul class="list">\n${browsers}</ul>`}
<h3>${t(texts.words.connectedApps)}</h3>
${connected.length === 0 ? html`<p class="quiet">${t(texts.words.none)}</p>` : html`<ul class="list">\n${connected}</ul>`}
</section>
`
}

const show = async (context: StaffContext, typed?: Pairs, refusal?: Refusal): Promise<Reply> => {
  const { language, request } = context
  const person = await readPerson(context)
  const [edit, groups, access] = await Promise.all([
    editCard(person, typed, context, refusal),
    groupsCard(person, context),
    accessCards(person, context),
  ])
  return framePerson(context, person, 'details', {
    ...(refusal === undefined
      ? { notice: doneIn(text.done, readDone(request), language) }
      : noticeFor(refusal, language, { sets: [fields], said })),
    body: html`<div class="split"><div class="stack">${edit}</div><div class="stack">${tagsCard(person, context)}${groups}${access}</div></div>`,
  })
}

// What is as it was is not written, so that a consent keeps when and where it was given.
const readChanges = async (context: StaffContext, typed: Pairs) => {
  const person = await readPerson(context)
  const custom = await readCustomFields(context)
  const { news = false, ...changes } = fields.body(typed, context)
  const consent =
    news === person.marketing_consent.granted
      ? {}
      : { marketing_consent: { granted: news, source: context.t(text.byStaff) } }
  return { ...changes, ...consent, ...(custom.length > 0 && { custom_fields: customBody(custom, typed) }) }
}

const callFor = async (context: StaffContext, typed: Pairs): Promise<PageCall<undefined>> => {
  const params = readParams(context)
  const tag = cleanLine(formField(typed, 'tag'), 60)
  const inGroup = { ...params, group_id: formField(typed, 'group') }
  switch (formField(typed, 'act')) {
    case 'save':
      return {
        operation: 'updateMember',
        params,
        body: await readChanges(context, typed),
        revision: revisionIn(typed),
      }
    case 'tag':
      return { operation: 'addMemberTag', params: { ...params, tag } }
    case 'untag':
      return { operation: 'removeMemberTag', params: { ...params, tag } }
    case 'join':
      return { operation: 'addGroupMember', params: inGroup }
    case 'leave':
      return { operation: 'removeGroupMember', params: inGroup }
    default:
      throw new Refusal(formRefused, 'The form has no valid action.')
  }
}

/** GET and POST /staff/people/:id/details: what staff may change of a member, their tags, groups, sessions and apps. */
export const detailsPart = [
  page('GET /staff/people/:id/details', staff, context => show(context)),
  form('POST /staff/people/:id/details', staff, (context, typed) =>
    shownAgain(
      async () => {
        await context.call(await callFor(context, typed))
        return `${context.request.path}?done=${formField(typed, 'act')}`
      },
      refusal => show(context, formField(typed, 'act') === 'save' ? typed : undefined, refusal),
    ),
  ),
]
