import type { Reply } from '#src/contract/endpoint.ts'
import type { Fact } from '#src/contract/fact.ts'
import { fill } from '#src/contract/language.ts'
import type { Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { hidden, mainButton, renderForm, showTime } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import type { SubscriptionAct } from './acts.ts'
import type { SubscriptionShown } from './shown.ts'
import { subscriptionsText, oneText as text } from './text.ts'
import { accessText, buildPath } from './view.ts'

type PreviewView = {
  readonly context: StaffContext
  readonly act: SubscriptionAct
  readonly form: Pairs
  readonly before: SubscriptionShown
  /** As it would be; undefined where the operation does not say it in a dry run. */
  readonly after: SubscriptionShown | undefined
  readonly effects: readonly Fact[]
  /** What it costs, line by line, where that is known. */
  readonly costs: Html | undefined
}

const kinds = ['money', 'access', 'mail'] as const

const listSentences = (kind: (typeof kinds)[number], { effects, context: { language } }: PreviewView): string[] => [
  ...new Set(
    effects.flatMap(({ effects: described = {} }) => {
      const phrase = described[kind]
      return phrase === undefined ? [] : [fill(phrase, language)]
    }),
  ),
]

const row = (name: string, sentences: readonly string[]): Html | false =>
  sentences.length > 0 && html`<dt>${name}</dt>${sentences.map(one => html`<dd><bdi>${one}</bdi></dd>`)}\n`

const afterwards = ({ after, context }: PreviewView): string[] => {
  if (after === undefined) return []
  const { t, language, viewer } = context
  const { status, next_charge_at: at, cancel_at: end } = after
  const next =
    at === null || (end !== null && end <= at)
      ? t(text.preview.noNext)
      : t(text.preview.afterNext, { at: showTime(new Date(at), language, viewer) })
  const name = t(subscriptionsText.statuses[status])
  return [
    t(text.preview.afterStatus, { status: name }),
    t(text.preview.afterAccess, { access: accessText(after, context) }),
    next,
  ]
}

// What was typed, sent again to perform it.
const again = (form: Pairs): Html[] =>
  hidden({ ...Object.fromEntries(form.filter(([name]) => name !== 'token')), step: 'do' })

/** The page that says what an act does to money, access and mail, before it is done. */
export const previewPage = (view: PreviewView): Reply => {
  const { context, act, form, before, costs } = view
  const { t, token } = context
  const { preview } = text
  const rows = kinds.map(kind => row(t(preview[kind]), listSentences(kind, view)))
  const isNothing = rows.every(one => one === false) && costs === undefined
  const confirm = t(text.acts[act].confirm)
  return context.frame({
    title: t(preview.title, { act: confirm }),
    body: html`<p>${t(preview.intro, { name: before.member.name })}</p>
${isNothing && html`<p>${t(preview.nothing)}</p>`}${costs}
<dl>
${rows}${row(t(preview.after), afterwards(view))}</dl>
${renderForm(buildPath(before), token, html`${again(form)}${mainButton(confirm)}`)}
<p class="quiet"><a href="${buildPath(before)}">${t(subscriptionsText.backToOne)}</a></p>`,
  })
}
