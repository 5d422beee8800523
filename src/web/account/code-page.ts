import type { Reply } from '#src/contract/endpoint.ts'
import { type Html, html } from '#src/kit/html.ts'
import { input, kinds, mainButton, type PageContext } from '#src/web/page/index.ts'
import { buildNotice, type Complaint, changeText } from './complaint.ts'

const { code: text } = changeText

type CodePage = {
  /** Where the code is sent. */
  readonly path: string
  readonly intro: string
  readonly button: string
  /** Where another code is requested. */
  readonly again: string
  /** Hidden fields. */
  readonly hidden?: readonly Html[]
  /** What else is asked, below the code. */
  readonly more?: Html
  readonly below?: Html
  readonly complaint?: Complaint | undefined
}

/** The page on which a person enters the code from a mail. */
export const showCodePage = (
  { path, intro, button, again, hidden, more, below, complaint }: CodePage,
  { t, form, frame }: Pick<PageContext, 't' | 'form' | 'frame'>,
): Reply =>
  frame({
    title: t(text.title),
    notice: buildNotice(complaint, { t }),
    body: html`<p>${intro}</p>
${form(
  html`${hidden}${input({ name: 'code', label: t(text.code), attributes: kinds.code })}
${more}${mainButton(button)}`,
  path,
)}
<p class="quiet"><a href="${again}">${t(text.again)}</a></p>${below}`,
  })
