import type { Phrase } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import type { Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { folded, hidden } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { card } from '../../console/frame.ts'
import { renderFormat } from './format.ts'
import { IMPORTS, kinds } from './kinds.ts'
import { renderMapping } from './mapping.ts'
import { renderOptions } from './options.ts'
import { renderCounts, renderFindings, renderNew, renderReport, renderStarter } from './outcome.ts'
import type { ImportShown, ImportView } from './shown.ts'

const { columns, outcome: text, options, problems, progress } = texts.staff.imports

const problemTexts: Readonly<Record<string, Phrase>> = problems

/** What was typed just now, with what was refused. */
export type Again = { readonly typed: Pairs; readonly refusal: Refusal }

const working = ['reading', 'checking', 'running', 'undoing'] as const

type Working = (typeof working)[number]

const workingStatus = ({ status }: ImportShown): Working | undefined => working.find(one => one === status)

/** Whether the server works on it, so that its page reloads. */
export const isWorking = (item: ImportShown): boolean => workingStatus(item) !== undefined

const split = (main: Html, side: Html): Html =>
  html`<div class="split"><div class="stack">${main}</div><div class="stack">${side}</div></div>`

// What an import does comes before its rows, of which there may be many; it is beside them where there is room.
const splitAfter = (main: Html, side: Html): Html =>
  html`<div class="split"><div class="stack first">${side}</div><div class="stack">${main}</div></div>`

const describeProblem = ({ problem }: ImportShown, { t }: StaffContext): Html | false =>
  problem !== null && html`<p class="note">${t(problemTexts[problem.code] ?? problems.other)}</p>\n`

const deletePart = ({ t, form }: StaffContext): Html =>
  folded(
    t(text.delete),
    form(html`${hidden({ act: 'delete' })}<p class="quiet">${t(text.deleteAbout)}</p>
<div class="buttons"><button type="submit">${t(text.delete)}</button></div>`),
  )

const renderWork = (status: Working, item: ImportShown, context: StaffContext): Html => {
  const { t, request } = context
  return card(
    t(texts.staff.imports.common.statusTitles[status]),
    html`<p role="status">${t(progress[status])}</p>
${status !== 'reading' && html`<progress class="full" max="100" value="${item.progress}" aria-label="${t(progress.label)}"></progress>\n${renderCounts(item, context)}`}
<p><a class="button" href="${request.path}">${t(progress.look)}</a></p>`,
  )
}

// The columns and the options are one form, whose button checks what it says.
const renderChoices = (view: ImportView, context: StaffContext, again: Again | undefined, isAgain: boolean): Html => {
  const { t, form, isStaff } = context
  const { item } = view
  const button = t(isAgain ? columns.checkAgain : columns.check)
  const isAsked = isStaff && item.mapping.every(({ field }) => field !== 'marketing_consent')
  return form(
    html`${hidden({ revision: item.revision })}${split(
      html`${renderMapping(view, context, again?.typed)}${renderFormat(item, context)}`,
      html`${card(
        t(options.title),
        html`${renderOptions(view, context, again)}
${isAsked && html`<p class="quiet">${t(options.consent)}</p>\n`}<div class="buttons"><button class="${isAgain ? '' : 'main'}" type="submit" name="act" value="check">${button}</button></div>
<p class="quiet hint">${t(columns.checkHint)}</p>`,
      )}`,
    )}`,
  )
}

const countRun = ({ counts }: ImportShown): number => counts.created + counts.updated

// People who are new are invited, and enrollments that are new are told of.
const countMails = ({
  kind,
  options: { send_invitations: invites, notify },
  counts: { created },
}: ImportShown): number => (invites ? created : 0) + (notify && kind === 'learning' ? created : 0)

const nameRun = (item: ImportShown, { t }: StaffContext): string => {
  const n = countRun(item)
  const name = t(item.kind === 'people' ? text.import : text.importRows, { n })
  const mails = countMails(item)
  return mails > 0 ? `${name} ${t(text.mailing, { n: mails })}` : name
}

// What a lecturer has checked is of their own courses, so staff check it themselves.
const mayRun = ({ kind, allowed_actions: actions }: ImportShown): boolean =>
  actions?.includes(kinds[kind].run) !== false

const renderRun = (item: ImportShown, context: StaffContext): Html => {
  const { t, form } = context
  if (countRun(item) === 0) return html`<p>${t(item.counts.failed > 0 ? text.nothing : text.nothingNew)}</p>`
  if (!mayRun(item)) return html`<p>${t(text.checkedByLecturer)}</p>`
  return html`${form(html`${hidden({ act: 'run', revision: item.revision })}<div class="buttons"><button class="main" type="submit">${nameRun(item, context)}</button></div>`)}
<p class="quiet hint">${t(text.undoHint)}</p>`
}

const renderChecked = (view: ImportView, context: StaffContext, again?: Again): Html => {
  const { t } = context
  const { item, findings, created } = view
  const main = html`${
    findings.length === 0
      ? card(t(text.willHappen), html`<p>${t(text.allWell)}</p>`)
      : renderFindings(item, findings, context)
  }${renderNew(item, created, context)}`
  const summary = card(
    t(text.summary),
    html`${renderCounts(item, context)}${renderRun(item, context)}${renderReport(item, context)}`,
  )
  return html`<div class="stack">${splitAfter(main, summary)}
${folded(t(columns.change), renderChoices(view, context, again, true), again !== undefined || countRun(item) === 0 || !mayRun(item))}
${deletePart(context)}</div>`
}

const renderUndo = (item: ImportShown, { t, form, day }: StaffContext): Html =>
  html`${item.undo_until !== null && html`<p class="quiet">${t(text.undoUntil, { day: day(item.undo_until) })}</p>`}${folded(
    t(text.undo),
    form(html`${hidden({ act: 'undo' })}<p class="quiet">${t(text.undoAbout)}</p>
<div class="buttons"><button type="submit">${t(text.undo)}</button></div>`),
  )}`

const renderResume = (item: ImportShown, context: StaffContext): Html => {
  const { t, form } = context
  return html`<p>${t(text.stopped)}</p>
${form(html`${hidden({ act: 'run', revision: item.revision })}<div class="buttons"><button class="main" type="submit">${t(text.resume)}</button></div>`)}`
}

// What was wrong with rows is no matter any more once the others were undone.
const renderResults = ({ item, findings, created }: ImportView, context: StaffContext): Html => {
  const { t } = context
  const isUndone = item.status === 'undone'
  const found = findings.filter(({ kind }) => !isUndone || kind === 'reason')
  const allWell = isUndone ? text.allUndone : text.allDone
  return html`${found.length > 0 ? renderFindings(item, found, context) : item.status !== 'stopped' && card(t(text.happened), html`<p>${t(allWell)}</p>`)}${renderNew(item, created, context)}`
}

const renderEnd = (view: ImportView, context: StaffContext): Html => {
  const { t } = context
  const { item } = view
  const side = html`${card(
    t(item.status === 'undone' ? text.hadDone : text.summary),
    html`${renderCounts(item, context)}${renderStarter(item, context)}${item.status === 'stopped' && renderResume(item, context)}${renderReport(item, context)}`,
  )}${item.status !== 'undone' && renderUndo(item, context)}`
  return html`<div class="stack">${describeProblem(item, context)}${splitAfter(renderResults(view, context), side)}</div>`
}

// Nothing of the format is known of a file that could not be read, so what can be chosen follows from why.
const renderUnreadable = (item: ImportShown, context: StaffContext): Html => {
  const { t, form } = context
  const isChosen = ['bad_encoding', 'no_sheet', 'no_header'].includes(item.problem?.code ?? '')
  const format = isChosen && renderFormat(item, context, true)
  return html`<div class="stack">${card(
    t(texts.staff.imports.common.statusTitles.unreadable),
    html`${describeProblem(item, context)}<p><a class="button main" href="${IMPORTS}/new?kind=${item.kind}">${t(text.another)}</a></p>`,
  )}${format !== false && form(html`${hidden({ revision: item.revision })}${format}`)}${deletePart(context)}</div>`
}

/** The link by which a corrected file, or the right one, is uploaded; a file that cannot be read has it in its card. */
export const renderAnother = (item: ImportShown, { t }: StaffContext): Html | undefined =>
  isWorking(item) || item.status === 'unreadable'
    ? undefined
    : html`<a class="button" href="${IMPORTS}/new?kind=${item.kind}">${t(text.another)}</a>`

/** What an import shows in its status, and what can be done. */
export const renderState = (view: ImportView, context: StaffContext, again?: Again): Html => {
  const { item } = view
  const status = workingStatus(item)
  if (status !== undefined) return renderWork(status, item, context)
  if (item.status === 'unreadable') return renderUnreadable(item, context)
  if (item.status === 'ready')
    return html`<div class="stack">${renderChoices(view, context, again, false)}${deletePart(context)}</div>`
  return item.status === 'checked' ? renderChecked(view, context, again) : renderEnd(view, context)
}
