import { ExportPage } from '#src/areas/people/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formatBytes } from '#src/kit/format.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { buildOutcome, form, mainButton, page, shownAgain } from '#src/web/page/index.ts'
import { backLink } from './links.ts'
import { type AccountContext, owner } from './parts.ts'

const { data: text } = texts.account

const PATH = '/account/data'

const show = async (context: AccountContext, refusal?: Refusal): Promise<Reply> => {
  const { t, call, form, frame, language, time } = context
  const query = [['limit', '10']] as const
  const { data } = await call({ operation: 'listAccountExports', query, returns: ExportPage })
  const isPending = data.some(({ status }) => status === 'pending')
  return frame({
    title: t(text.title),
    ...buildOutcome(context, refusal, { said: { rate_limited: text.tooOften, other: text.tooOften }, done: text.done }),
    body: html`<p>${t(text.about)}</p>
${
  data.length > 0 &&
  html`<ul class="list">
${data.map(
  ({ status, file, created_at: at }) =>
    html`<li>${
      file === null
        ? t(text.statuses[status])
        : html`<a href="${file.url}" download>${t(texts.words.download)}</a> <span class="quiet">JSON, ${formatBytes(file.byte_size, language)}</span>`
    }<br><span class="quiet">${t(text.asked, { time: time(at) })}</span></li>\n`,
)}</ul>`
}
${!isPending && form(mainButton(t(text.button)))}
<p class="quiet"><a href="/account/deletion">${t(texts.words.deleteYourAccount)}</a></p>
${backLink(language)}`,
  })
}

/** GET and POST /account/data: the copies of everything that the school stores about a person, and the way to another one. */
export const dataPages = [
  page(`GET ${PATH}`, owner, context => show(context)),
  form(`POST ${PATH}`, owner, context =>
    shownAgain(
      async () => {
        await context.call({ operation: 'createAccountExport' })
        return `${PATH}?done=asked`
      },
      refusal => show(context, refusal),
    ),
  ),
]
