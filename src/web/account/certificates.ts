import { CertificatePage } from '#src/areas/learning/index.ts'
import { formatDate } from '#src/kit/format.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { page } from '#src/web/page/index.ts'
import { backLink } from './links.ts'
import { owner } from './parts.ts'
import { pageLinks, readCursor } from './turning.ts'

const { certificates: text } = texts.account

/** GET /account/certificates: what a person was awarded, with its page, its PDF and its credential. */
export const certificatesPages = [
  page('GET /account/certificates', owner, async context => {
    const { t, call, frame, language } = context
    const query = readCursor(context)
    const returns = CertificatePage
    const { data, next_cursor: next } = await call({ operation: 'listAccountCertificates', query, returns })
    return frame({
      title: t(text.title),
      body: html`${data.length === 0 && html`<p>${t(text.none)}</p>`}
${data.map(
  one => html`<section class="card" aria-labelledby="${one.id}">
<h2 id="${one.id}"><a href="${one.url}"><bdi>${one.course_name}</bdi></a></h2>
<p class="quiet"><time datetime="${one.awarded_on}">${formatDate(one.awarded_on, language)}</time> · <bdi>${one.serial}</bdi>${one.status !== 'valid' && html` · <strong>${t(text.statuses[one.status])}</strong>`}</p>
${
  one.status === 'valid' &&
  html`<p><a href="${one.pdf_url}">${t(text.pdf)}</a> · <a href="${one.credential_url}">${t(text.credential)}</a></p>`
}
</section>
`,
)}
${pageLinks(context, next, { older: texts.words.nextPage })}
${backLink(language)}`,
    })
  }),
]
